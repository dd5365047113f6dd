import { CodecError } from '../error.ts';
import type { Reader, UnknownName } from '../reader.ts';
import type { Writer } from '../writer.ts';

/** Why a tenure changed (SIP-021), by its code; the extensions of one dimension are SIP-034. */
export const TENURE_CAUSES = [
  'block_found',
  'extended',
  'extended_runtime',
  'extended_read_count',
  'extended_read_length',
  'extended_write_count',
  'extended_write_length',
] as const;

/** Why a tenure changed. */
export type TenureCause = (typeof TENURE_CAUSES)[number];

/** The start or the extension of a tenure (SIP-021). */
export type TenureChange = {
  tenureConsensusHash: Uint8Array;
  previousTenureConsensusHash: Uint8Array;
  burnViewConsensusHash: Uint8Array;
  /** The id of the last block of the previous tenure. */
  previousTenureEnd: Uint8Array;
  previousTenureBlocks: number;
  cause: TenureCause | UnknownName;
  publicKeyHash: Uint8Array;
};

/** Reads a tenure change. */
export function readTenureChange(reader: Reader): TenureChange {
  return {
    tenureConsensusHash: reader.take(20),
    previousTenureConsensusHash: reader.take(20),
    burnViewConsensusHash: reader.take(20),
    previousTenureEnd: reader.take(32),
    previousTenureBlocks: reader.u32(),
    cause: readCause(reader),
    publicKeyHash: reader.take(20),
  };
}

function readCause(reader: Reader): TenureCause | UnknownName {
  const code = reader.u8();
  return TENURE_CAUSES[code] ?? reader.unknownCode('tenure change cause', code);
}

/** Writes a tenure change. */
export function writeTenureChange(writer: Writer, change: TenureChange): void {
  writer
    .fixed(change.tenureConsensusHash, 20)
    .fixed(change.previousTenureConsensusHash, 20)
    .fixed(change.burnViewConsensusHash, 20)
    .fixed(change.previousTenureEnd, 32)
    .u32(change.previousTenureBlocks)
    .u8(codeOfCause(change.cause))
    .fixed(change.publicKeyHash, 20);
}

function codeOfCause(cause: TenureChange['cause']): number {
  const code = (TENURE_CAUSES as readonly string[]).indexOf(cause);
  if (code < 0) throw new CodecError(`${cause} cannot be written`, 0);
  return code;
}
