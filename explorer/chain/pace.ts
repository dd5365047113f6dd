import { useApi } from '../api/loaded.ts';
import { chainRevision, seenBlocks } from '../live/feed.ts';

/** How fast a chain grows, measured at its tip. Times are Unix seconds. */
export type Pace = { height: number; time: number; secondsPerBlock: number; blocks: number };

/** The mean pace of blocks, newest first; undefined if they do not tell one. */
export function paceOf(blocks: readonly { height: number; time: number }[]): Pace | undefined {
  const [newest, oldest] = [blocks[0], blocks.at(-1)];
  if (!newest || !oldest || newest.height <= oldest.height || newest.time <= oldest.time) return undefined;
  const { height, time } = newest;
  const passed = height - oldest.height;
  return { height, time, secondsPerBlock: (time - oldest.time) / passed, blocks: passed };
}

/** When a height was or will be reached at this pace. */
export const timeAt = ({ height, time, secondsPerBlock }: Pace, at: number): number =>
  Math.round(time + (at - height) * secondsPerBlock);

const MEASURED = 30;

/** The pace of the last Bitcoin blocks. */
export function useBitcoinPace(): Pace | undefined {
  const blocks = useApi('/extended/v2/burn-blocks/', { limit: MEASURED }, chainRevision);
  if (blocks.state !== 'ready') return undefined;
  return paceOf(
    blocks.data.results.map(({ burn_block_height, burn_block_time }) => ({
      height: burn_block_height,
      time: burn_block_time,
    })),
  );
}

/** The pace of the Stacks blocks that were seen. */
export const stacksPace = (): Pace | undefined => paceOf(seenBlocks.value.filter(({ canonical }) => canonical));
