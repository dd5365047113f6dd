import { principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { principal } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pool } from '../../src/db/client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { emptyTables } from '../support/dump.ts';
import { author, extendBlock, functionNames, longPrincipal } from '../support/newer-blocks.ts';
import { historiesOf, historyTimeout, playHistories, propertySeed as seed } from '../support/seed.ts';
import { append, foldAll, startFold } from '../support/service.ts';
import { plans, playPlan } from './history.ts';

/**
 * Histories with forks of both chains, told by a node after 4.0.2. What the tables make of its fields is compared with sums over
 * the messages of the chain that is canonical in the end.
 */
const histories = Math.max(4, historiesOf(1 / 10));

// biome-ignore lint/suspicious/noExplicitAny: messages of any shape
type Json = any;

let live: TestDatabase;
beforeAll(async () => {
  live = await testDatabase();
});
afterAll(() => live.drop());

const authorName = Buffer.from(principalToBytes(author.address));
const payers = ['mqVnk6NPRdhntvfm4hh9vvjiRkFDUuSYsH', 'mr1iPkD9N3RJZZxXRk7xF9d36gffa6exNC', null];
/** A number that a hash chooses, so that a message that comes again is the same. */
const numberOf = (hash: string, at = 2) => Number.parseInt(hash.slice(at, at + 6), 16);

/** A message as a later node would send it. */
function newer(message: Message): Message {
  if (message.path === '/new_burn_block') return withPayers(message);
  return message.path === '/new_block' && (message.body as Json).block_height > 0 ? addNewer(message) : message;
}

/** Some nodes name the field so, others so, and some know of nobody. */
function withPayers({ path, body: told }: Message): Message {
  const body = structuredClone(told) as Json;
  const n = numberOf(body.burn_block_hash);
  for (const transaction of body.pox_transactions ?? []) {
    if (n % 4 === 1) transaction.apparent_sender = payers[n % 3];
    if (n % 4 === 2) transaction.miner_address = payers[n % 3];
    if (n % 4 === 3) Object.assign(transaction, { apparent_sender: payers[n % 3], miner_address: payers[(n + 1) % 3] });
    if (n % 5 === 0) transaction.weight = 1;
    if (n % 5 === 1) for (const output of transaction.reward_recipients) output.script = '00';
  }
  return { path, body };
}

/** A deploy and a call of a contract of Clarity 7, with events about principals with long names. */
function addNewer(message: Message): Message {
  const block = extendBlock(message);
  const { body } = block;
  const n = numberOf(body.index_block_hash);
  const contract = `${author.address}.${nameOf(body)}`;
  const far = longPrincipal(41 + (n % 88));
  const stats = n % 3 === 0 ? { execution_stats: { secs: 0, nanos: n } } : {};
  block.deploy(nameOf(body), 2 * n, n % 2 === 0 ? { version: 7 } : {});
  const txid = block.call(contract, functionOf(n), 2 * n + 1, [principal(far)], stats);
  const raw_value = toHex(encodeClarity(principal(far)));
  const asset_identifier = `${contract}::slice?`;
  block.event(txid, 'contract_event', { contract_identifier: contract, topic: 'print', raw_value });
  block.event(txid, 'nft_mint_event', { asset_identifier, recipient: far, raw_value });
  if (n % 4 === 0)
    block.event(txid, 'nft_transfer_event', { asset_identifier, sender: far, recipient: author.address, raw_value });
  if (n % 3 === 1) body.vm_events = [{ type: 'truncated' }, { type: 'var_set', key: 'x' }];
  if (n % 3 === 2) body.state_writes = [{ tx_index: null, ordinal: 0, key: 'vm-account::x::18', value_hex: '' }];
  return block.message;
}

const nameOf = (body: Json) => `c${body.index_block_hash.slice(2, 18)}`;
const functionOf = (n: number) => functionNames[n % functionNames.length]!;

/** What the tables should say, summed up from messages alone. */
function expectedOf(messages: readonly Message[]) {
  const outputs: string[] = [];
  const calls: string[] = [];
  const contracts: string[] = [];
  const prints: string[] = [];
  const owners = new Map<string, string>();
  for (const { path, body } of messages as readonly { path: string; body: Json }[]) {
    if (path === '/new_burn_block')
      for (const { txid, reward_recipients, apparent_sender, miner_address } of body.pox_transactions ?? [])
        for (const { recipient, amt, utxo_idx } of reward_recipients)
          outputs.push(
            `${body.burn_block_height} ${txid} ${utxo_idx} ${recipient} ${amt} ${apparent_sender ?? miner_address ?? ''}`,
          );
    if (path !== '/new_block' || body.block_height === 0) continue;
    const n = numberOf(body.index_block_hash);
    const own = `${author.address}.${nameOf(body)}`;
    const [deployed, called] = body.transactions.slice(-2);
    contracts.push(`${body.block_height} ${own} ${deployed.contract_interface.clarity_version}`);
    calls.push(`${body.block_height} ${called.txid} ${functionOf(n)}`);
    for (const each of body.events) {
      const { contract_identifier, asset_identifier, recipient, raw_value } = each[each.type];
      if (each.type === 'contract_event' && contract_identifier === own)
        prints.push(`${body.block_height} ${own} ${raw_value}`);
      // The transfer comes after the mint.
      if (asset_identifier === `${own}::slice?`) owners.set(`${asset_identifier} ${raw_value}`, recipient);
    }
  }
  return {
    outputs: outputs.sort(),
    calls: calls.sort(),
    contracts: contracts.sort(),
    prints: prints.sort(),
    owners: [...owners].map(([item, owner]) => `${item} ${owner}`).sort(),
  };
}

/** What the tables say. */
async function tablesOf(sql: Pool): Promise<ReturnType<typeof expectedOf>> {
  const outputs = await sql<{ line: string }[]>`
    select concat_ws(' ', o.height, '0x' || encode(o.tx_id, 'hex'), o.utxo_index, o.address, o.amount, o.payer) as line
    from burn_pox_outputs o
  `;
  const calls = await sql<{ line: string }[]>`
    select concat_ws(' ', t.height, '0x' || encode(t.tx_id, 'hex'), f.name) as line
    from transactions t
    join functions f on f.id = t.function
    join principals p on p.id = t.sender
    where p.name = ${authorName}
  `;
  const contracts = await sql<{ height: number; name: Buffer; version: string }[]>`
    select c.height, p.name, c.abi::json ->> 'clarity_version' as version
    from contracts c
    join principals p on p.id = c.contract
    where substring(p.name from 1 for 21) = ${authorName}
  `;
  const prints = await sql<{ height: number; name: Buffer; value: Buffer }[]>`
    select e.height, p.name, e.value
    from events e
    join principals p on p.id = e.asset
    where e.kind = 11 and substring(p.name from 1 for 21) = ${authorName}
  `;
  const owners = await sql<{ contract: Buffer; asset: string; value: Buffer; owner: Buffer }[]>`
    select p.name as contract, a.name as asset, n.value, o.name as owner
    from nft_current n
    join assets a on a.id = n.asset
    join principals p on p.id = a.contract
    join principals o on o.id = n.owner
    where a.name = 'slice?'
  `;
  return {
    outputs: outputs.map(({ line }) => line).sort(),
    calls: calls.map(({ line }) => line).sort(),
    contracts: contracts.map(({ height, name, version }) => `${height} ${principalFromBytes(name)} ${version}`).sort(),
    prints: prints.map(({ height, name, value }) => `${height} ${principalFromBytes(name)} ${toHex(value)}`).sort(),
    owners: owners
      .map(
        ({ contract, asset, value, owner }) =>
          `${principalFromBytes(contract)}::${asset} ${toHex(value)} ${principalFromBytes(owner)}`,
      )
      .sort(),
  };
}

/** The names of the fields that no release up to 4.0.2 sends. */
function unknownIn(messages: readonly Message[]): string[] {
  const names = new Set<string>();
  for (const { body } of messages as readonly { body: Json }[]) {
    for (const key of ['vm_events', 'state_writes']) if (body[key]) names.add(`block.${key}`);
    for (const each of body.transactions ?? []) if (each.execution_stats) names.add('transaction.execution_stats');
    for (const each of body.pox_transactions ?? []) {
      if (each.weight) names.add('pox_transaction.weight');
      if (each.reward_recipients.some((output: Json) => output.script)) names.add('pox_output.script');
    }
  }
  return [...names].sort();
}

test(`fields of nodes after 4.0.2 are folded over forks of both chains as they add up (seed ${seed})`, {
  timeout: historyTimeout,
}, async () => {
  let [rows, forks] = [0, 0];
  const property = fc.asyncProperty(plans, async plan => {
    const { pieces, canonical, replay } = playPlan({ ...plan, release: '4.0', genesis: 'first' });
    await emptyTables(live.sql);
    const told = pieces.map(piece => ({ ...piece, messages: piece.messages.map(newer) }));
    for (const { messages, stop } of told) {
      if (stop === 'settled') await foldAll(live, messages, { batchBlocks: plan.batchBlocks });
      else {
        await append(live, messages);
        await startFold(live, { batchBlocks: plan.batchBlocks }).stop();
      }
    }
    const position = await foldAll(live, []);
    expect(position.halt_reason).toBeNull();

    const chain = [...replay.filter(({ path }) => path === '/new_burn_block'), ...canonical].map(newer);
    const expected = expectedOf(chain);
    expect(await tablesOf(live.sql)).toEqual(expected);
    const unknown = await live.sql<{ name: string }[]>`select u.name from unknown_items u order by u.name`;
    const all = unknownIn(told.flatMap(({ messages }) => messages));
    expect(all).toEqual(expect.arrayContaining(unknown.map(({ name }) => name)));
    expect(unknown.map(({ name }) => name)).toEqual(expect.arrayContaining(unknownIn(chain)));
    rows += expected.outputs.length + expected.calls.length;
    forks += told.flatMap(({ messages }) => messages).length - chain.length;
  });
  await playHistories('newer fields', property, histories);
  expect(rows).toBeGreaterThan(histories);
  expect(forks).toBeGreaterThan(0);
});
