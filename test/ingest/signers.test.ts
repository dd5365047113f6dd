import { expect, test } from 'vitest';
import { connect, type Pool } from '../../src/db/client.ts';
import type { Message } from '../../src/devnet/chain/message-text.ts';
import { Random } from '../../src/devnet/random.ts';
import { finishBulkLoad } from '../../src/ingest/load/bulk-load.ts';
import { reduceChunks } from '../../src/ingest/observer/signer-chunks.ts';
import { signerTables } from '../../src/ingest/signers/signer-tables.ts';
import { encodeSignerRecords } from '../../src/node/signer-records.ts';
import { testDatabase } from '../support/database.ts';
import { dump } from '../support/dump.ts';
import { foldAll } from '../support/service.ts';
import { signedHistory } from '../support/signed-history.ts';

const silent = { info() {}, warn() {}, error() {} };
const isSigner = ({ path }: Message) => path === '/stackerdb_chunks';

/** The rows of the tables of signer metrics. */
async function signerRows(sql: Pool) {
  const rows = await dump(sql);
  return Object.fromEntries(signerTables.map(({ name }) => [name, rows[name]]));
}

/** The same messages with those of signers in another order; blocks stay in theirs. */
function shuffled(messages: readonly Message[], seed: number): Message[] {
  const random = new Random(seed);
  return messages
    .map((message, i) => ({ message, at: isSigner(message) ? random.below(messages.length) : i }))
    .sort((a, b) => a.at - b.at)
    .map(({ message }) => message);
}

/** Chunks as the observer stores them: compact records at the same time. */
function reduced(message: Message): (Message | { path: string; body: string }) & { at?: Date } {
  if (!isSigner(message)) return message;
  const { records } = reduceChunks(Buffer.from(JSON.stringify(message.body)));
  const { at } = message as Message & { at: Date };
  return { path: '/cairn/signer_messages', body: encodeSignerRecords(records!), at };
}

test('the tables of signers do not depend on the order of messages, on bulk loads or on how chunks are stored', async t => {
  const { messages } = signedHistory(3);
  const [plain, other, bulk, compact] = await Promise.all([1, 2, 3, 4].map(() => testDatabase(t)));
  await foldAll(plain!, messages, { batchBlocks: 1 });
  const expected = await signerRows(plain!.sql);
  for (const { name } of signerTables) expect(expected[name], name).not.toEqual([]);

  await foldAll(other!, shuffled(messages, 5), { batchBlocks: 3 });
  expect(await signerRows(other!.sql)).toEqual(expected);

  await foldAll(bulk!, shuffled(messages, 6), { bulk: true });
  const sql = connect(bulk!.url, { max: 3, name: 'test' });
  await finishBulkLoad(sql, silent).finally(() => sql.end());
  expect(await signerRows(bulk!.sql)).toEqual(expected);

  await foldAll(compact!, messages.map(reduced));
  expect(await signerRows(compact!.sql)).toEqual(expected);
}, 60_000);
