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
