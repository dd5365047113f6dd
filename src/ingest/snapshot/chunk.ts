import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Chunk } from './manifest.ts';
import type { Store } from './store.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Bytes of a chunk before compression. A worker holds a few of them, so memory does not depend on the size of the tables. */
export const CHUNK_BYTES = 8 << 20;

// Quality 1 wrote 140 to 270 MB/s of rows at 0.18 to 0.5 of their size, and payloads that are compressed already at 500 MB/s;
// gzip 1 wrote 45 to 140 MB/s at 0.2 to 0.53.
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 1 };

/** A chunk is missing or has other bytes than the manifest says. */
export class DamagedChunk extends Error {
  override name = 'DamagedChunk';
}

/** The name of the object with these bytes. Equal chunks of several snapshots are stored once. */
export const chunkName = ({ sha256 }: Pick<Chunk, 'sha256'>) => `chunks/${sha256.slice(0, 2)}/${sha256}`;

/** Compresses and stores bytes, unless the store has them already. */
export async function writeChunk(store: Store, bytes: Buffer): Promise<Chunk & { reused: boolean }> {
  const params = { ...QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const stored = await compress(bytes, { params, chunkSize: Math.max(1024, bytes.length >> 2) });
  const chunk = { sha256: hashOf(stored), stored_bytes: stored.length, bytes: bytes.length };
  const name = chunkName(chunk);
  const reused = await store.has(name, stored);
  if (!reused) await store.write(name, stored);
  return { ...chunk, reused };
}

/** Reads the stored bytes of a chunk and checks their checksum; throws `DamagedChunk`. */
export async function checkChunk(store: Store, chunk: Chunk): Promise<Buffer> {
  const name = chunkName(chunk);
  const stored = await store.read(name);
  if (stored === undefined) throw new DamagedChunk(`${name} is missing`);
  if (stored.length !== chunk.stored_bytes) {
    throw new DamagedChunk(`${name} has ${stored.length} bytes instead of ${chunk.stored_bytes}`);
  }
  if (hashOf(stored) !== chunk.sha256) throw new DamagedChunk(`${name} has a wrong checksum`);
  return stored;
}

/** Reads, checks and decompresses a chunk; throws `DamagedChunk`. */
export async function readChunk(store: Store, chunk: Chunk): Promise<Buffer> {
  const stored = await checkChunk(store, chunk);
  const size = Math.max(64, chunk.bytes); // the smallest output buffer that zlib takes
  const bytes = await decompress(stored, { maxOutputLength: size, chunkSize: size }).catch(cause => {
    throw new DamagedChunk(`${chunkName(chunk)} cannot be decompressed`, { cause });
  });
  if (bytes.length !== chunk.bytes) throw new DamagedChunk(`${chunkName(chunk)} has another size after decompression`);
  return bytes;
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
