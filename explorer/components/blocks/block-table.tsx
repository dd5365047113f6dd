import type { NakamotoBlock } from '../../api/schema.ts';
import { formatCount } from '../../format/number.ts';
import { Hash } from '../values/hash.tsx';
import { BlockLink, BurnBlockLink, TenureLink } from '../values/links.tsx';
import { Time } from '../values/time.tsx';

export function BlockTable({ of, caption }: { of: readonly NakamotoBlock[]; caption: string }) {
  return (
    <table class="rows">
      <caption class="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Block</th>
          <th scope="col">Hash</th>
          <th scope="col" class="number">
            Transactions
          </th>
          <th scope="col" class="number">
            Tenure
          </th>
          <th scope="col" class="number">
            Bitcoin block
          </th>
          <th scope="col" class="number">
            When
          </th>
        </tr>
      </thead>
      <tbody>
        {of.map(block => (
          <tr key={block.hash}>
            <td data-label="Block">
              <BlockLink height={block.height} />
            </td>
            <td data-label="Hash">
              <Hash value={block.hash} href={`/block/${block.hash}`} />
            </td>
            <td data-label="Transactions" class="number">
              {formatCount(block.tx_count)}
            </td>
            <td data-label="Tenure" class="number">
              <TenureLink tenure={block.tenure_height} />
            </td>
            <td data-label="Bitcoin block" class="number">
              <BurnBlockLink height={block.burn_block_height} />
            </td>
            <td data-label="When" class="number">
              <Time seconds={block.block_time} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
