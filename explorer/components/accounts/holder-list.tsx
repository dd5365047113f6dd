import type { Parameters } from '../../api/client.ts';
import { formatUnits } from '../../format/amount.ts';
import { formatShare } from '../../format/number.ts';
import { chainRevision } from '../../live/feed.ts';
import { MoreList, nextByCursor } from '../more-list.tsx';
import { Principal } from '../values/principal.tsx';

type Props = {
  path:
    | '/extended/v3/tokens/ft/{asset_identifier}/holders'
    | '/extended/v3/tokens/stx/holders'
    | '/extended/v1/tokens/nft/{asset_identifier}/holders';
  parameters?: Parameters;
  total: bigint;
  decimals?: number;
  empty?: string;
};

/** Holders with their shares drawn. */
export function HolderList({ path, parameters = {}, total, decimals = 0, empty = 'Nobody holds this token.' }: Props) {
  return (
    <MoreList
      path={path}
      parameters={{ ...parameters, limit: 15 }}
      revision={chainRevision}
      next={nextByCursor}
      empty={empty}
    >
      {holders => (
        <ol class="holders">
          {holders.map(({ principal, balance }) => {
            const units = BigInt(balance);
            const percent = total === 0n ? 0 : Number((units * 10_000n) / total) / 100;
            return (
              <li key={principal}>
                <Principal of={principal} />
                <span class="number">{formatUnits(units, decimals)}</span>
                <span class="meter" aria-hidden="true">
                  <span style={{ width: `${percent}%` }} />
                </span>
                <span class="number soft">{formatShare(units, total)}</span>
              </li>
            );
          })}
        </ol>
      )}
    </MoreList>
  );
}
