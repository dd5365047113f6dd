import { ApiError, readError } from './api-error.ts';
import { type Cursor, cursors } from './cursor.ts';
import type { StreamApply, StreamMempool } from './operations.ts';
import type { Store } from './store.ts';
import { type StreamOptions, type StreamSelection, type StreamSource, stream } from './stream.ts';

/** The block that remains the newest after a rollback; without a hash, nothing above this height remains. */
export type RollbackTarget = { height: number; index_block_hash?: string };

export type SinkOptions<Tx> = StreamSelection &
  Pick<StreamOptions, 'signal' | 'onRetry' | 'silenceMs'> & {
    store: Store<Tx>;
    /** Distinguishes the sinks of one database. */
    name?: string;
    /** Where a sink without a cursor begins: at a height (the default is 1), or with what happens next. */
    from?: number | 'now';
    /** Adds what a block has, or a part of it, to the tables. */
    apply(tx: Tx, block: StreamApply): void | Promise<void>;
    /** Removes what is above a height from the tables. */
    rollback(tx: Tx, to: RollbackTarget): void | Promise<void>;
    /** Takes changes of the mempool, for the topic `mempool`. */
    mempool?(tx: Tx, change: StreamMempool): void | Promise<void>;
  };

/**
 * Keeps own tables equal to the canonical chain: calls `apply` and `rollback` in the order of the chain, each in one transaction with
 * the cursor, so that nothing is missed or done twice whatever ends this process, the service or the database. Resolves when the
 * signal ends it; throws errors of the database and of the callbacks. Call it again, and it goes on.
 */
export async function follow<Tx>(source: StreamSource, options: SinkOptions<Tx>): Promise<void> {
  const {
    store,
    name = 'default',
    from = 1,
    apply,
    rollback,
    mempool,
    signal,
    onRetry,
    silenceMs,
    ...selection
  } = options;
  const connection = { ...(signal && { signal }), ...(onRetry && { onRetry }), ...(silenceMs && { silenceMs }) };
  let cursor = await open(source, store, name, from);
  const move = async (to: Cursor, work: (tx: Tx) => void | Promise<void>) => {
    await store.transaction(async (tx, query) => {
      await cursors.move(query, name, cursor, to);
      await work(tx);
    });
    cursor = to;
  };
  while (!signal?.aborted) {
    try {
      for await (const event of stream(source, { ...selection, ...connection, ...startOf(cursor) })) {
        const { position } = event;
        if (event.type === 'apply') await move({ height: event.block.height, position }, tx => apply(tx, event));
        else if (event.type === 'rollback')
          await move({ height: event.to.height, position }, tx => rollback(tx, event.to));
        else await move({ height: cursor.height, position }, tx => mempool?.(tx, event));
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      // The service does not have the newest blocks, nor will get them: it lost them, or is another one.
      const known = await newestKnown(source, store, name, selection, cursor);
      await move(known, tx => rollback(tx, { height: known.height }));
    }
  }
}

const startOf = ({ height, position }: Cursor) => (position === '' ? { fromHeight: height + 1 } : { after: position });

/** The newest row; that of the beginning only before the first move. */
const newestOf = (rows: Cursor[]) => rows.find(({ position }) => position !== '') ?? rows[0];

/** The cursor as stored, or that of a new sink. */
async function open<Tx>(source: StreamSource, store: Store<Tx>, name: string, from: number | 'now'): Promise<Cursor> {
  const read = () => store.transaction(async (_, query) => newestOf(await cursors.list(query, name)));
  const stored = await read().catch(async () => {
    // There is no table yet. Another process may create it at the same moment; another error is met again.
    await store.transaction(async (_, query) => await cursors.create(query)).catch(() => {});
    return await read();
  });
  if (stored) return stored;
  const cursor = from === 'now' ? await tipOf(source) : { height: from - 1, position: '' };
  await store.transaction(async (_, query) => await cursors.begin(query, name, cursor));
  // Another process may have begun at the same moment.
  return (await read()) ?? cursor;
}

async function tipOf(source: StreamSource): Promise<Cursor> {
  const response = await source.fetch(`${source.url}/extended/v1/stream/tip`);
  if (!response.ok) throw await readError(response);
  const { position, block_height: height } = (await response.json()) as { position: string; block_height: number };
  return { height, position };
}

/** The newest stored position that the service knows, looked for in growing steps. */
async function newestKnown<Tx>(
  source: StreamSource,
  store: Store<Tx>,
  name: string,
  selection: StreamSelection,
  cursor: Cursor,
): Promise<Cursor> {
  const stored = await store.transaction(async (_, query) => await cursors.list(query, name));
  const below = stored.filter(({ height }) => height < cursor.height);
  for (let i = 0; i < below.length; i = i * 2 + 1) {
    const candidate = below[i]!;
    if (candidate.position === '' || (await isKnown(source, selection, candidate.position))) return candidate;
  }
  const last = below.at(-1);
  if (last && (last.position === '' || (await isKnown(source, selection, last.position)))) return last;
  throw new Error(
    `the service at ${source.url} knows none of the last blocks of the sink ${name}: it serves another chain, or went far back`,
  );
}

async function isKnown(source: StreamSource, selection: StreamSelection, position: string): Promise<boolean> {
  const query = new URLSearchParams({ after: position, limit: '1' });
  for (const [name, value] of Object.entries(selection)) if (value !== undefined) query.set(name, String(value));
  const response = await source.fetch(`${source.url}/extended/v1/stream/pages?${query}`);
  if (response.ok) return true;
  const error = await readError(response);
  if (error.status === 409 || error.field('newest_height') !== undefined) return false;
  throw error;
}
