import { checkChunk, DamagedChunk, readChunk } from './chunk.ts';
import type { Chunk, Manifest } from './manifest.ts';
import type { Store } from './store.ts';

export type VerifyOptions = {
  store: Store;
  chunks: readonly Chunk[];
  /** Also decompresses each chunk. */
  thorough?: boolean;
  onProgress?: (done: number) => void;
  signal?: AbortSignal | undefined;
};

/** Chunks that are read at once. */
const WORKERS = 4;

/** All different chunks of a snapshot. */
export const chunksOf = ({ tables }: Pick<Manifest, 'tables'>): Chunk[] => [
  ...new Map(
    tables.flatMap(({ parts }) => parts.flatMap(({ chunks }) => chunks.map(chunk => [chunk.sha256, chunk] as const))),
  ).values(),
];

/** Reads chunks and checks their checksums; resolves with a line for each one that is missing or damaged. */
export async function verifyChunks({ store, chunks, thorough, onProgress, signal }: VerifyOptions): Promise<string[]> {
  const faults: string[] = [];
  const left = chunks[Symbol.iterator]();
  let done = 0;
  const worker = async () => {
    for (const chunk of left) {
      signal?.throwIfAborted();
      try {
        await (thorough ? readChunk : checkChunk)(store, chunk);
      } catch (error) {
        if (!(error instanceof DamagedChunk)) throw error;
        faults.push(error.message);
      }
      done += chunk.stored_bytes;
      onProgress?.(done);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return faults.sort();
}
