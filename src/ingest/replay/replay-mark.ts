import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Sql, Tx } from '../../db/client.ts';
import type { Place } from './recorded-events.ts';
import { RecordedFileError } from './recorded-lines.ts';

/** A recorded file as the database knows it: by its content, so that it may be moved or renamed. */
export type ReplayFile = { path: string; name: string; size: number; fingerprint: Buffer };

/** How far a file was replayed. */
export type ReplayMark = { place: Place; events: number; finished: boolean };

const END_BYTES = 1 << 20;

/** Knows a file by its size and its first and last megabyte. */
export async function identifyFile(path: string): Promise<ReplayFile> {
  const handle = await open(path).catch((error: Error) => {
    throw new RecordedFileError(`${path} cannot be opened: ${error.message}`, { cause: error });
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new RecordedFileError(`${path} is not a file`);
    const hash = createHash('sha256').update(`${stat.size}\n`);
    hash.update(await readAt(handle, 0, Math.min(stat.size, END_BYTES)));
    hash.update(await readAt(handle, Math.max(0, stat.size - END_BYTES), Math.min(stat.size, END_BYTES)));
    return { path, name: basename(path), size: stat.size, fingerprint: hash.digest() };
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

type MarkRow = { line: bigint; line_end: bigint; recorded_id: bigint | null; events: bigint; finished: boolean };

export async function findMark(sql: Sql, file: ReplayFile): Promise<ReplayMark> {
  const [row] = await sql<MarkRow[]>`
    select line, line_end, recorded_id, events, finished_at is not null as finished
    from replay_files
    where fingerprint = ${file.fingerprint}
  `;
  if (!row) return { place: { line: 0, end: 0, id: undefined }, events: 0, finished: false };
  return {
    place: { line: Number(row.line), end: Number(row.line_end), id: row.recorded_id ?? undefined },
    events: Number(row.events),
    finished: row.finished,
  };
}

/** Moves the mark inside the transaction that appends; refuses when another replay has moved it meanwhile. */
export async function moveMark(tx: Tx, file: ReplayFile, from: ReplayMark, to: ReplayMark): Promise<void> {
  const rows = await tx`
    insert into replay_files as f (fingerprint, name, size, line, line_end, recorded_id, events, finished_at)
    values (
      ${file.fingerprint}, ${file.name}, ${file.size}, ${to.place.line}, ${to.place.end},
      ${to.place.id?.toString() ?? null}, ${to.events}, ${to.finished ? tx`now()` : null}
    )
    on conflict (fingerprint) do update
    set name = excluded.name, line = excluded.line, line_end = excluded.line_end, recorded_id = excluded.recorded_id,
      events = excluded.events, finished_at = excluded.finished_at
    where f.line = ${from.place.line} and f.events = ${from.events}
    returning f.line
  `;
  if (rows.length === 0) {
    throw new RecordedFileError(`${file.path}: another replay of this file is under way in the same database`);
  }
}
