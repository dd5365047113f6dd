// Receives a webhook of Cairn into a table of PostgreSQL that forks and repeated requests leave right: what arrived is stored in
// one transaction, and the response is sent after it. Add the hook with what this program prints at its start.
// Run: DATABASE_URL=postgres://… WEBHOOK_SECRET=whsec_… node examples/receive-webhooks.mjs
import { createServer } from 'node:http';
import { verifyWebhook, WebhookError } from '@cairn-stacks/client';
import pg from 'pg';

const secret = process.env.WEBHOOK_SECRET ?? '';
const port = Number(process.env.PORT ?? 8080);
const maxBytes = 20_000_000;
const db = new pg.Pool({ connectionString: process.env.DATABASE_URL });
await db.query(`
  create table if not exists received_blocks (height int primary key, hash text not null);
  create table if not exists received_transfers (
    tx_id text, event_index int, height int not null, recipient text, amount numeric not null, primary key (tx_id, event_index));
`);

/** The whole body, as it was signed. */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBytes) throw new WebhookError('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A message may arrive twice: blocks and transfers have keys. */
async function store(client, message) {
  if (message.type === 'rollback') {
    await client.query('delete from received_transfers where height > $1', [message.to.height]);
    await client.query('delete from received_blocks where height > $1', [message.to.height]);
  } else if (message.type === 'apply') {
    const { height, index_block_hash: hash } = message.block;
    await client.query('insert into received_blocks values ($1, $2) on conflict (height) do update set hash = $2', [
      height,
      hash,
    ]);
    await client.query(
      `insert into received_transfers
       select t.tx_id, t.event_index, $1, t.recipient, t.amount
       from jsonb_to_recordset($2) as t (tx_id text, event_index int, recipient text, amount numeric)
       on conflict do nothing`,
      [height, JSON.stringify(message.transfers ?? [])],
    );
  }
}

async function take({ type, data }) {
  if (type !== 'cairn.batch') return;
  const client = await db.connect();
  try {
    await client.query('begin');
    // Requests come one after the other; a repeated one may overtake the end of the first.
    await client.query('lock table received_blocks in exclusive mode');
    for (const message of data.messages) await store(client, message);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const server = createServer(async (request, response) => {
  try {
    await take(await verifyWebhook(await readBody(request), request.headers, secret));
    response.writeHead(204).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(error instanceof WebhookError ? 400 : 500).end();
  }
});
server.listen(port, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}/`;
  console.log(`cairn webhooks add deposits ${url} --topics blocks,transfers --asset STX --secret ${secret}`);
});
