import { isEmpty, type SignerRecords } from '../../chain/signer-record.ts';
import { MessageError } from '../../node/json.ts';
import { readSignerChunks } from '../../node/signer-chunks.ts';
import { readSignerRecords } from '../../node/signer-records.ts';

/** The path to which nodes post StackerDB chunks. */
export const chunksPath = '/stackerdb_chunks';

/** The log path of the records that the observer makes of chunks; no node posts to it. */
export const signerMessagesPath = '/cairn/signer_messages';

/** The records of an event of the log, raw chunks or records; undefined if there are none. */
export function readSignerEvent(path: string, message: unknown): SignerRecords | undefined {
  const records = path === chunksPath ? readRawChunks(message) : readSignerRecords(message);
  return records && !isEmpty(records) ? records : undefined;
}

/** Chunks that cannot be read are left out, as by the observer. */
function readRawChunks(message: unknown): SignerRecords | undefined {
  try {
    return readSignerChunks(message);
  } catch (error) {
    if (error instanceof MessageError) return undefined;
    throw error;
  }
}
