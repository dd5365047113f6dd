import type { ChainCursor } from './cursors-queries.ts';
import type { ListedSummary } from './summaries-queries.ts';

export const chainPattern = '^[0-9]+:[0-9]+:[0-9]+$';

/** The widest height, sequence and index; what is beyond means the end of the chain. */
const most = 2_147_483_647;

type Placed = Pick<ListedSummary, 'height' | 'microblock_sequence' | 'tx_index' | 'extras'>;

/** `height:microblock_sequence:tx_index`. Block 0 is distinguished from block 1, whose indexes it shares. */
export const chainCursor = (row: Placed): string =>
  `${row.extras?.genesis === undefined ? row.height : 0}:${row.microblock_sequence}:${row.tx_index}`;

/** The cursor behind all transactions of a block. */
export const endOfBlock = (height: number): string => `${height}:${most}:${most}`;

/** The position that a cursor names; it need not be that of a transaction. */
export function readChainCursor(text: string | undefined): ChainCursor | undefined {
  if (text === undefined) return undefined;
  const [height = 0, microblockSequence = 0, txIndex = 0] = text.split(':').map(part => Math.min(Number(part), most));
  return { height, microblockSequence, txIndex };
}
