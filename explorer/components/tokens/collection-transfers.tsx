import type { CollectionMove } from '../../api/schema.ts';
import { chainRevision } from '../../live/feed.ts';
import { MoreList, nextByCursor } from '../more-list.tsx';
import { RowTable } from '../row-table.tsx';
import { ItemLink } from './item-link.tsx';
import { moveColumns, moveKey } from './moves.tsx';

/** Transfers, mints and burns of the items of a collection. */
export function CollectionTransfers({ asset }: { asset: string }) {
  const columns = moveColumns<CollectionMove>({
    title: 'Item',
    cell: move => <ItemLink asset={asset} value={move.value} />,
  });
  return (
    <MoreList
      path="/extended/v1/tokens/nft/{asset_identifier}/transfers"
      parameters={{ asset_identifier: asset, limit: 25 }}
      revision={chainRevision}
      next={nextByCursor}
      empty="Nothing has moved."
    >
      {moves => (
        <RowTable of={moves} caption="Transfers, mints and burns, newest first" columns={columns} keyOf={moveKey} />
      )}
    </MoreList>
  );
}
