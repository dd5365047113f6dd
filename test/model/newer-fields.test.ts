import { principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { principal } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { toHex } from '@cairn-stacks/codec/hex';
import { callPayload, deployPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pool } from '../../src/db/client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { emptyTables } from '../support/dump.ts';
import { historiesOf, historyTimeout, playHistories, propertySeed as seed } from '../support/seed.ts';
import { append, foldAll, startFold, testNetwork } from '../support/service.ts';
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

const author = accountAt(900, false);
const authorName = Buffer.from(principalToBytes(author.address));
const payers = ['mqVnk6NPRdhntvfm4hh9vvjiRkFDUuSYsH', 'mr1iPkD9N3RJZZxXRk7xF9d36gffa6exNC', null];
/** Reserved names that a trait may demand, and those with every character that a name may have. */
const functions = ['slice?', 'stacks-block-height', 'a!b*c/d=e+f<g>h_i-j?', '<=', '+', '*'];

/** A number that a hash chooses, so that a message that comes again is the same. */
const numberOf = (hash: string, at = 2) => Number.parseInt(hash.slice(at, at + 6), 16);

/** A message as a later node would send it. */
function newer(message: Message): Message {
  const body = structuredClone(message.body) as Json;
  if (message.path === '/new_burn_block') addPayers(body);
  if (message.path === '/new_block' && body.block_height > 0) addNewer(body);
  return { path: message.path, body };
}

/** Some nodes name the field so, others so, and some know of nobody. */
function addPayers(body: Json): void {
  const n = numberOf(body.burn_block_hash);
  for (const transaction of body.pox_transactions ?? []) {
    if (n % 4 === 1) transaction.apparent_sender = payers[n % 3];
    if (n % 4 === 2) transaction.miner_address = payers[n % 3];
    if (n % 4 === 3) Object.assign(transaction, { apparent_sender: payers[n % 3], miner_address: payers[(n + 1) % 3] });
    if (n % 5 === 0) transaction.weight = 1;
    if (n % 5 === 1) for (const output of transaction.reward_recipients) output.script = '00';
  }
}

/** A contract principal whose name is longer than a deployed contract may have. */
const longName = (n: number) => `${author.address}.${'l'.repeat(41 + (n % 88))}`;

/** A deploy and a call of a contract of Clarity 7, with events about principals with long names. */
function addNewer(body: Json): void {
  const n = numberOf(body.index_block_hash);
  const name = `c${body.index_block_hash.slice(2, 18)}`;
  const contract = `${author.address}.${name}`;
  const far = longName(n);
  const value = encodeClarity(principal(far));
  const called = functions[n % functions.length]!;
  const deploy = deployPayload(name, '(define-public (slice?) (ok true))', n % 2 === 0 ? 7 : undefined);
  const abi = { functions: [], variables: [], maps: [], fungible_tokens: [], non_fungible_tokens: [] };
  const add = (payload: Payload, nonce: number, contract_interface: object | null): string => {
    const origin = { account: author, nonce: BigInt(nonce) };
    const { raw, txId } = makeTransaction({ network: testNetwork, origin, fee: 0n, payload, sign: false });
    body.transactions.push({
      ...{ txid: txId, tx_index: body.transactions.length, status: 'success', raw_result: '0x0703', raw_tx: raw },
      ...{ contract_interface, burnchain_op: null, execution_cost: null, vm_error: null },
      ...{ microblock_sequence: null, microblock_hash: null, microblock_parent_hash: null },
      ...(n % 3 === 0 && { execution_stats: { secs: 0, nanos: n } }),
    });
    return txId;
  };
  add(deploy, 2 * n, { ...abi, epoch: 'Epoch41', clarity_version: 'Clarity7' });
  const txid = add(callPayload(contract, called, [principal(far)]), 2 * n + 1, null);
  const event = (type: string, fields: object) =>
    body.events.push({ txid, event_index: 100_000 + body.events.length, committed: true, type, [type]: fields });
  event('contract_event', { contract_identifier: contract, topic: 'print', raw_value: toHex(value) });
  event('nft_mint_event', { asset_identifier: `${contract}::slice?`, recipient: far, raw_value: toHex(value) });
  if (n % 4 === 0)
    event('nft_transfer_event', {
      ...{ asset_identifier: `${contract}::slice?`, sender: far, recipient: author.address, raw_value: toHex(value) },
    });
  if (n % 3 === 1) body.vm_events = [{ type: 'truncated' }, { type: 'var_set', key: 'x' }];
  if (n % 3 === 2) body.state_writes = [{ tx_index: null, ordinal: 0, key: 'vm-account::x::18', value_hex: '' }];
}

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
    const own = `${author.address}.c${body.index_block_hash.slice(2, 18)}`;
    const [deployed, called] = body.transactions.slice(-2);
    contracts.push(`${body.block_height} ${own} ${deployed.contract_interface.clarity_version}`);
    calls.push(`${body.block_height} ${called.txid} ${functions[n % functions.length]}`);
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

const nameOf = (bytes: Buffer) => principalFromBytes(bytes);

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
    contracts: contracts.map(({ height, name, version }) => `${height} ${nameOf(name)} ${version}`).sort(),
    prints: prints.map(({ height, name, value }) => `${height} ${nameOf(name)} ${toHex(value)}`).sort(),
    owners: owners
      .map(({ contract, asset, value, owner }) => `${nameOf(contract)}::${asset} ${toHex(value)} ${nameOf(owner)}`)
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
