import { useApi } from '../../api/loaded.ts';
import { formatShare } from '../../format/number.ts';
import { assetContract } from '../../format/shorten.ts';
import { chainRevision } from '../../live/feed.ts';
import { type Held, withLockedSbtc } from '../../tokens/locked-sbtc.ts';
import { MoreList, nextByCursor } from '../more-list.tsx';
import { TokenAmount } from '../values/amount.tsx';
import { Principal } from '../values/principal.tsx';

/** The tokens of an account, each with its share of the supply. */
export function TokenBalances({ principal }: { principal: string }) {
  return (
    <MoreList
      path="/extended/v3/principals/{principal}/balances/ft"
      parameters={{ principal, limit: 20 }}
      revision={chainRevision}
      next={nextByCursor}
      empty="This account holds no tokens."
    >
      {positions => (
        <ul class="holdings">
          {withLockedSbtc(positions.map(({ asset_identifier: asset, balance }) => ({ asset, balance }))).map(held => (
            <Holding key={held.asset} held={held} />
          ))}
        </ul>
      )}
    </MoreList>
  );
}

function Holding({ held: { asset, balance, locked } }: { held: Held }) {
  const supply = useApi('/extended/v3/tokens/ft/{asset_identifier}/supply', { asset_identifier: asset });
  return (
    <li>
      <TokenAmount units={balance} asset={asset} />
      <span class="soft">
        {supply.state === 'ready' && `${formatShare(BigInt(balance), BigInt(supply.data.total))} of the supply · `}
        <Principal of={assetContract(asset)} />
      </span>
      {locked !== undefined && (
        <span class="soft">
          and <TokenAmount units={locked} asset={asset} /> locked for a withdrawal
        </span>
      )}
    </li>
  );
}
