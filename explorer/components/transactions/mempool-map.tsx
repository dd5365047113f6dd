import type { MempoolTransactionSummary } from '../../api/schema.ts';
import { type Box, treemap } from '../../charts/treemap.ts';
import { formatStx } from '../../format/amount.ts';
import { formatBytes } from '../../format/number.ts';
import { shorten } from '../../format/shorten.ts';
import { setQuery } from '../../router.ts';
import { typeWords } from '../../words/transaction.ts';

const WIDTH = 900;
const HEIGHT = 260;
const BAR = 6;

/** What the area of a box means. */
export type MapArea = 'fee' | 'size';

type Props = {
  of: readonly MempoolTransactionSummary[];
  /** Bytes of each transaction, by its id. */
  sizes: ReadonlyMap<string, number>;
  area: MapArea;
};

/** Pending transactions as boxes: the area is the fee or the size, the color the type, the bar the fee for each byte. */
export function MempoolMap({ of, sizes, area }: Props) {
  const rates = new Map(of.map(tx => [tx.tx_id, Number(tx.fee_rate) / Math.max(sizes.get(tx.tx_id) ?? 0, 1)]));
  const highest = Math.max(...rates.values());
  // The square root keeps small boxes visible beside large ones.
  const boxes = treemap(
    of.map(tx => ({
      item: tx,
      weight: Math.sqrt((area === 'fee' ? Number(tx.fee_rate) : (sizes.get(tx.tx_id) ?? 0)) + 1),
    })),
    WIDTH,
    HEIGHT,
  );
  return (
    <>
      <label class="soft">
        Area is{' '}
        <select value={area} onChange={event => setQuery({ area: event.currentTarget.value })}>
          <option value="fee">the fee</option>
          <option value="size">the size in bytes</option>
        </select>
      </label>
      <svg class="treemap" viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        <title>Pending transactions; a larger box has a larger {area}</title>
        {boxes.map(box => (
          <TransactionBox
            key={box.item.tx_id}
            box={box}
            size={sizes.get(box.item.tx_id) ?? 0}
            rate={highest === 0 ? 0 : rates.get(box.item.tx_id)! / highest}
            area={area}
          />
        ))}
      </svg>
      <ul class="legend">
        {['token_transfer', 'contract_call', 'smart_contract'].map(type => (
          <li key={type}>
            <span class={`swatch type-${type}`} aria-hidden="true" /> {typeWords(type)}
          </li>
        ))}
        <li class="soft">The white bar is the fee for each byte.</li>
      </ul>
    </>
  );
}

type BoxProps = { box: Box<MempoolTransactionSummary>; size: number; rate: number; area: MapArea };

function TransactionBox({ box: { item, x, y, width, height }, size, rate, area }: BoxProps) {
  const fee = formatStx(BigInt(item.fee_rate));
  const label = `${typeWords(item.type)} ${shorten(item.tx_id)}, fee ${fee}, ${formatBytes(size)}`;
  const inner = Math.max(width - 2, 0.5);
  return (
    <a href={`/tx/${item.tx_id}`} aria-label={label}>
      <title>{label}</title>
      <rect x={x + 1} y={y + 1} width={inner} height={Math.max(height - 2, 0.5)} rx="3" class={`type-${item.type}`} />
      {height > 4 * BAR && (
        <rect class="rate" x={x + 1} y={y + height - BAR - 1} width={inner * rate} height={BAR} rx="3" />
      )}
      {width > 90 && height > 30 && (
        <text x={x + 8} y={y + 18}>
          {area === 'fee' ? fee : formatBytes(size)}
        </text>
      )}
    </a>
  );
}
