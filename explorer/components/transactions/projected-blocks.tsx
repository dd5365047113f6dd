import { useApi } from '../../api/loaded.ts';
import type { MempoolTransaction } from '../../api/schema.ts';
import { counted, formatCount } from '../../format/number.ts';
import { mempoolRevision, seenBlocks } from '../../live/feed.ts';
import { type ProjectedBlock, perBlockOf, projectBlocks } from '../../mempool/projected.ts';
import { LoadedView } from '../loaded-view.tsx';
import { Empty } from '../message.tsx';
import { Stx } from '../values/amount.tsx';

const BLOCKS = 4;
/** Those with the highest fees, which the next blocks take; the server gives no more at once. */
const LOOKED_AT = 50;

/** What the next blocks may hold, by fee. */
export function ProjectedBlocks() {
  const waiting = useApi(
    '/extended/v1/tx/mempool',
    { limit: LOOKED_AT, order_by: 'fee', order: 'desc' },
    mempoolRevision,
  );
  const perBlock = perBlockOf(seenBlocks.value);
  return (
    <LoadedView of={waiting}>
      {({ results, total }) => {
        const whole = total > results.length ? Math.max(1, Math.floor(results.length / perBlock)) : BLOCKS;
        const blocks = projectBlocks(results, perBlock, Math.min(BLOCKS, whole));
        if (blocks.length === 0) return <Empty>Nothing is waiting.</Empty>;
        const left = total - blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);
        return (
          <>
            <ol class="projected">
              {blocks.map((block, index) => (
                <Block key={index} of={block} index={index} />
              ))}
            </ol>
            <p class="soft">
              An estimate: {counted(perBlock, 'transaction')} a block, as in the last blocks, the highest fees first and
              those of a sender in the order of their nonces.{' '}
              {left > 0 && `${formatCount(left)} more ${left === 1 ? 'waits' : 'wait'} behind them.`}
            </p>
          </>
        );
      }}
    </LoadedView>
  );
}

const names = ['Next block', 'Second', 'Third', 'Fourth'];

function Block({ of, index }: { of: ProjectedBlock<MempoolTransaction>; index: number }) {
  const { transactions, lowest, highest, total } = of;
  return (
    <li>
      <b>{names[index]}</b>
      <span>{counted(transactions.length, 'transaction')}</span>
      <span>
        fees <Stx micro={String(lowest)} />
        {highest > lowest && (
          <>
            {' '}
            to <Stx micro={String(highest)} />
          </>
        )}
      </span>
      <span class="soft">
        together <Stx micro={String(total)} />
      </span>
    </li>
  );
}
