import { useApi } from '../../api/loaded.ts';
import type { PrincipalFtPosition } from '../../api/schema.ts';
import { formatShare } from '../../format/number.ts';
import { assetContract } from '../../format/shorten.ts';
import { chainRevision } from '../../live/feed.ts';
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
          {positions.map(position => (
            <Holding key={position.asset_identifier} position={position} />
          ))}
        </ul>
      )}
    </MoreList>
  );
}

function Holding({ position: { asset_identifier, balance } }: { position: PrincipalFtPosition }) {
  const supply = useApi('/extended/v3/tokens/ft/{asset_identifier}/supply', { asset_identifier });
  return (
    <li>
      <TokenAmount units={balance} asset={asset_identifier} />
      <span class="soft">
        {supply.state === 'ready' && `${formatShare(BigInt(balance), BigInt(supply.data.total))} of the supply · `}
        <Principal of={assetContract(asset_identifier)} />
      </span>
    </li>
  );
}
