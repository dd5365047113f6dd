import { useApi } from '../api/loaded.ts';
import { type Pace, paceOf } from '../chain/pace.ts';
import { chainRevision, seenBlocks } from './feed.ts';

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
