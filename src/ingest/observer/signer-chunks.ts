import { isEmpty, type SignerRecords } from '../../chain/signer-record.ts';
import { MessageError, parseMessage } from '../../node/json.ts';
import { readSignerChunks } from '../../node/signer-chunks.ts';

/** A chunk has at most 16 MiB, which are twice as many hex digits; larger posts are counted as skipped. */
export const MAX_CHUNKS_BYTES = 40 << 20;

/**
 * The records that are stored instead of a post of StackerDB chunks; undefined if it says nothing about proposals. A post that
 * cannot be read counts as one skipped chunk: a node would repeat a rejected one forever.
 */
export function reduceChunks(body: Buffer | undefined): { records: SignerRecords | undefined; skipped: number } {
  if (body === undefined) return { records: undefined, skipped: 1 };
  try {
    const { skipped, ...records } = readSignerChunks(parseMessage(body));
    return { records: isEmpty(records) ? undefined : records, skipped };
  } catch (error) {
    if (error instanceof MessageError) return { records: undefined, skipped: 1 };
    throw error;
  }
}
