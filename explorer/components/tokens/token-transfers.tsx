import type { TokenMove } from '../../api/schema.ts';
import { chainRevision } from '../../live/feed.ts';
import { MoreList, nextByCursor } from '../more-list.tsx';
import { RowTable } from '../row-table.tsx';
import { TokenAmount } from '../values/amount.tsx';
import { moveColumns, moveKey } from './moves.tsx';

/** Transfers, mints and burns of a token. */
export function TokenTransfers({ asset }: { asset: string }) {
  const columns = moveColumns<TokenMove>({
    title: 'Amount',
    number: true,
    cell: move => <TokenAmount units={move.amount} asset={asset} />,
  });
  return (
    <MoreList
      path="/extended/v1/tokens/ft/{token}/transfers"
      parameters={{ token: asset, limit: 15 }}
      revision={chainRevision}
      next={nextByCursor}
      empty="It has never moved."
    >
      {moves => (
        <RowTable of={moves} caption="Transfers, mints and burns, newest first" columns={columns} keyOf={moveKey} />
      )}
    </MoreList>
  );
}
