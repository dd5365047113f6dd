import type { MempoolTransactionSummary } from '../../api/schema.ts';
import { treemap } from '../../charts/treemap.ts';
import { formatStx } from '../../format/amount.ts';
import { shorten } from '../../format/shorten.ts';
import { typeWords } from '../../words/transaction.ts';

const WIDTH = 900;
const HEIGHT = 260;

/** Pending transactions as boxes: the area is the fee, the color the type. */
export function MempoolMap({ of }: { of: readonly MempoolTransactionSummary[] }) {
  // The square root keeps small fees visible beside large ones.
  const boxes = treemap(
    of.map(tx => ({ item: tx, weight: Math.sqrt(Number(tx.fee_rate) + 1) })),
    WIDTH,
    HEIGHT,
  );
  return (
    <>
      <svg class="treemap" viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        <title>Pending transactions; a larger box pays a larger fee</title>
        {boxes.map(({ item, x, y, width, height }) => {
          const label = `${typeWords(item.type)} ${shorten(item.tx_id)}, fee ${formatStx(BigInt(item.fee_rate))}`;
          return (
            <a key={item.tx_id} href={`/tx/${item.tx_id}`} aria-label={label}>
              <title>{label}</title>
              <rect
                x={x + 1}
                y={y + 1}
                width={Math.max(width - 2, 0.5)}
                height={Math.max(height - 2, 0.5)}
                rx="3"
                class={`type-${item.type}`}
              />
              {width > 90 && height > 24 && (
                <text x={x + 8} y={y + 18}>
                  {formatStx(BigInt(item.fee_rate))}
                </text>
              )}
            </a>
          );
        })}
      </svg>
      <ul class="legend">
        {['token_transfer', 'contract_call', 'smart_contract'].map(type => (
          <li key={type}>
            <span class={`swatch type-${type}`} aria-hidden="true" /> {typeWords(type)}
          </li>
        ))}
      </ul>
    </>
  );
}
