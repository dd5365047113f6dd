import type { NakamotoBlock } from '../../api/schema.ts';
import { formatCount } from '../../format/number.ts';
import { type Column, RowTable } from '../row-table.tsx';
import { Hash } from '../values/hash.tsx';
import { BlockLink, BurnBlockLink, TenureLink } from '../values/links.tsx';
import { Time } from '../values/time.tsx';

const columns: readonly Column<NakamotoBlock>[] = [
  { title: 'Block', cell: block => <BlockLink height={block.height} /> },
  { title: 'Hash', minor: true, cell: block => <Hash value={block.hash} href={`/block/${block.hash}`} /> },
  { title: 'Transactions', number: true, cell: block => formatCount(block.tx_count) },
  { title: 'Tenure', number: true, minor: true, cell: block => <TenureLink tenure={block.tenure_height} /> },
  {
    title: 'Bitcoin block',
    number: true,
    minor: true,
    cell: block => <BurnBlockLink height={block.burn_block_height} />,
  },
  { title: 'When', number: true, side: true, cell: block => <Time seconds={block.block_time} /> },
];

export function BlockTable({ of, caption }: { of: readonly NakamotoBlock[]; caption: string }) {
  return <RowTable of={of} caption={caption} columns={columns} keyOf={block => block.hash} />;
}
