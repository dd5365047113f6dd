import { principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pool } from '../../src/db/client.ts';
import { renderDeposit } from '../../src/read/sbtc/deposit-schema.ts';
import { listDeposits } from '../../src/read/sbtc/deposits-queries.ts';
import { listKeyRotations } from '../../src/read/sbtc/key-rotations-queries.ts';
import { listMovements } from '../../src/read/sbtc/movements-queries.ts';
import { findRegistry } from '../../src/read/sbtc/registry-queries.ts';
import { findSbtcTotals, listSbtcContracts } from '../../src/read/sbtc/summary-queries.ts';
import { renderWithdrawal } from '../../src/read/sbtc/withdrawal-schema.ts';
import { listWithdrawals } from '../../src/read/sbtc/withdrawals-queries.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { emptyTables } from '../support/dump.ts';
import {
  acceptance,
  contractUpdate,
  deposit,
  hash32,
  keyOf,
  printed,
  type RequestSpec,
  registry,
  rejection,
  request,
  rotation,
  user,
  withSbtc,
} from '../support/sbtc-chain.ts';
import { historiesOf, historyTimeout, playHistories, propertySeed as seed } from '../support/seed.ts';
import { append, foldAll, startFold, testNetwork } from '../support/service.ts';
import { plans, playPlan } from './history.ts';

/**
 * Histories with forks of both chains and with everything that a registry prints, sound or not. What the tables make of it is
 * compared with a walk over the raw events of the chain that is canonical in the end.
 */
const histories = Math.max(4, historiesOf(1 / 10));

// biome-ignore lint/suspicious/noExplicitAny: messages of any shape
type Json = any;

let live: TestDatabase;
beforeAll(async () => {
  live = await testDatabase();
});
afterAll(() => live.drop());

const accounts = [user, accountAt(901, false).address, 'ST000000000000000000002AMW42H.pox-5'];
const numberOf = (hash: string) => Number.parseInt(hash.slice(2, 8), 16);

/** The message of a block with what its hash chooses; requests are numbered by height, so that forks give the same numbers. */
function withStory(message: Message): Message {
  const body = message.body as Json;
  if (message.path !== '/new_block' || body.block_height === 0) return message;
  const n = numberOf(body.index_block_hash);
  const height: number = body.block_height;
  const own = { hash: body.burn_block_hash.slice(2), height: body.burn_block_height };
  // The last may be above the tip of Bitcoin, or below the first block that is known.
  const burn = [own, own, { ...own, hash: hash32(n) }, { hash: hash32(n), height: own.height + (n % 9) - 40 }][n % 4]!;
  const sweep = { tx: hash32(`s${n}`), ...burn };
  const requestAt = (id: number): RequestSpec => ({
    ...{ id, amount: 600 + (n % 1000), maxFee: 50 + (n % 50), sender: accounts[n % 2]!, height: own.height },
    ...(n % 3 === 0
      ? { version: '06', hash: hash32(n) }
      : { version: n % 2 ? '' : '04', hash: hash32(n).slice(0, 40) }),
  });
  const sound = { tx: hash32(`d${n}`), vout: n % 4, amount: 1 + (n % 90_000), to: accounts[n % 3]!, sweep };
  const earlier = Math.max(1, height - (n % 3));
  return withSbtc(message, [
    ...(n % 3 !== 1
      ? [deposit(sound, { minted: n % 7 === 0 ? 0 : n % 7 === 1 ? sound.amount + 1 : sound.amount })]
      : []),
    ...(n % 5 !== 3 ? [request(requestAt(n % 11 === 0 ? earlier : height))] : []),
    ...(n % 5 < 2 ? [acceptance(requestAt(earlier), n % 50, n % 6, sweep)] : []),
    ...(n % 5 === 2 || n % 8 === 0 ? [rejection(requestAt(earlier))] : []),
    ...(n % 6 === 0
      ? [rotation({ keys: [keyOf(n % 200)], aggregate: keyOf(n % 199), signer: accounts[n % 2]!, threshold: 1 })]
      : []),
    ...(n % 6 === 1 ? [contractUpdate(n % 3, `${user}.c${n}`)] : []),
    ...(n % 4 === 0 ? [deposit(sound, { contract: `${user}.sbtc-registry` })] : []),
    ...(n % 4 === 1 ? [[printed(tuple({ topic: stringAscii('withdrawal-create'), 'request-id': uint(height) }))]] : []),
  ]);
}

/** A Clarity value as plain as it goes: bytes as hex, numbers as bigint. */
function plain(value: ClarityValue): Json {
  switch (value.type) {
    case 'uint':
      return value.value;
    case 'buffer':
      return toHex(value.bytes);
    case 'string-ascii':
      return value.text;
    case 'principal':
      return value.contract === undefined ? value.address : `${value.address}.${value.contract}`;
    case 'list':
      return value.items.map(plain);
    case 'tuple':
      return Object.fromEntries(value.entries.map(entry => [entry.name, plain(entry.value)]));
    default:
      return undefined;
  }
}

type Told = {
  deposits: Json[];
  withdrawals: Map<number, Json>;
  rotations: Json[];
  contracts: Map<number, string>;
  moves: Map<string, number>;
};

/** The story as the raw events of a chain tell it; `burns` are the canonical Bitcoin blocks by height. */
function storyOf(messages: readonly Message[], burns: ReadonlyMap<number, string>): Told {
  const told: Told = { deposits: [], withdrawals: new Map(), rotations: [], contracts: new Map(), moves: new Map() };
  const tip = Math.max(0, ...burns.keys());
  const sweepOf = (print: Json) => {
    const stored = burns.get(Number(print['burn-height']));
    const canonical = stored === undefined ? null : stored === print['burn-hash'];
    const confirmations = canonical === null ? null : canonical ? tip - Number(print['burn-height']) + 1 : 0;
    return { tx_id: print['sweep-txid'], canonical, confirmations };
  };
  const move = (who: string) => told.moves.set(who, (told.moves.get(who) ?? 0) + 1);
  for (const { body } of messages as readonly { body: Json }[]) {
    const { block_height: height, events = [] } = body;
    events.forEach((event: Json, i: number) => {
      if (event.contract_event?.contract_identifier !== registry) return;
      const print = plain(decodeClarity(fromHex(event.contract_event.raw_value)));
      const known = told.withdrawals.get(Number(print['request-id']));
      const outcome = { resolved: [height, event.txid] };
      if (print.topic === 'completed-deposit') {
        const mint = events[i - 1]?.txid === event.txid ? events[i - 1].ft_mint_event : undefined;
        const recipient = mint?.amount === String(print.amount) ? mint.recipient : null;
        const facts = {
          height,
          tx_id: event.txid,
          bitcoin_tx_id: print['bitcoin-txid'],
          vout: Number(print['output-index']),
        };
        told.deposits.unshift({
          ...facts,
          recipient,
          amount: String(print.amount),
          sweep: sweepOf(print),
          bitcoin: null,
        });
        if (recipient) move(recipient);
      } else if (print.topic === 'withdrawal-create' && print.sender && !known) {
        const { sender, amount, recipient } = print;
        const facts = {
          request_id: Number(print['request-id']),
          sender,
          amount: String(amount),
          max_fee: print['max-fee'],
        };
        const pending = { status: 'pending', fee: null, resolved: null, sweep: null };
        told.withdrawals.set(facts.request_id, {
          ...facts,
          ...pending,
          hash: recipient.hashbytes,
          requested: [height, event.txid],
        });
        move(sender);
      } else if (print.topic === 'withdrawal-accept' && known?.status === 'pending') {
        Object.assign(known, outcome, { status: 'accepted', fee: String(print.fee), sweep: sweepOf(print) });
      } else if (print.topic === 'withdrawal-reject' && known?.status === 'pending') {
        Object.assign(known, outcome, { status: 'rejected' });
      } else if (print.topic === 'key-rotation') told.rotations.unshift([height, print['new-address']]);
      else if (print.topic === 'update-protocol-contract')
        told.contracts.set(Number(print['contract-type']), print['new-contract']);
    });
  }
  return told;
}

const sumOf = (amounts: readonly string[]) => String(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n));
const page = { cursor: undefined, limit: 1000 };

/** The story as the responses have it. */
async function responsesOf(sql: Pool): Promise<Told & { totals: Json }> {
  const number = await findRegistry(sql, testNetwork);
  const deposits = (await listDeposits(sql, number, {}, page)).rows.map(row => {
    const { block, sweep, status: _, ...rest } = renderDeposit(row);
    const { tx_id, canonical, confirmations } = sweep;
    return { height: block.height, ...rest, sweep: { tx_id, canonical, confirmations } };
  });
  const withdrawals = new Map<number, Json>();
  for (const row of (await listWithdrawals(sql, number, {}, page)).rows.reverse()) {
    const { request_id, sender, amount, max_fee, status, fee, ...rest } = renderWithdrawal(row, testNetwork);
    const { recipient, requested, resolved, sweep } = rest;
    withdrawals.set(request_id, {
      ...{ request_id, sender, amount, max_fee: BigInt(max_fee), status, fee, hash: recipient.hashbytes },
      requested: [requested.block.height, requested.tx_id],
      resolved: resolved && [resolved.block.height, resolved.tx_id],
      sweep: sweep && { tx_id: sweep.tx_id, canonical: sweep.canonical, confirmations: sweep.confirmations },
    });
  }
  const moves = new Map<string, number>();
  for (const account of accounts) {
    const { total } = await listMovements(sql, number, principalToBytes(account), page);
    if (total !== 0) moves.set(account, total!);
  }
  return {
    ...{ deposits, withdrawals, moves },
    rotations: (await listKeyRotations(sql, number, page)).rows.map(row => [
      row.height,
      principalFromBytes(row.signer),
    ]),
    contracts: new Map(
      [...(await listSbtcContracts(sql, number))].map(([role, name]) => [role, principalFromBytes(name)]),
    ),
    totals: await findSbtcTotals(sql, number),
  };
}

test(`sBTC is told over forks of both chains as the raw events have it (seed ${seed})`, {
  timeout: historyTimeout,
}, async () => {
  const seen = { deposits: 0, accepted: 0, orphaned: 0, forks: 0 };
  const property = fc.asyncProperty(plans, async plan => {
    const { pieces, canonical, replay } = playPlan({ ...plan, release: '4.0', genesis: 'first' });
    await emptyTables(live.sql);
    const told = pieces.map(piece => ({ ...piece, messages: piece.messages.map(withStory) }));
    for (const { messages, stop } of told) {
      if (stop === 'settled') await foldAll(live, messages, { batchBlocks: plan.batchBlocks });
      else {
        await append(live, messages);
        await startFold(live, { batchBlocks: plan.batchBlocks }).stop();
      }
    }
    expect((await foldAll(live, [])).halt_reason).toBeNull();

    const burns = new Map(
      replay
        .filter(({ path }) => path === '/new_burn_block')
        .map(({ body }: Json) => [body.burn_block_height, body.burn_block_hash] as const),
    );
    const chain = canonical.map(withStory);
    const expected = storyOf(chain, burns);
    const { totals, ...actual } = await responsesOf(live.sql);
    expect(actual).toEqual(expected);
    const of = (status: string) => [...expected.withdrawals.values()].filter(each => each.status === status);
    const amounts = (rows: Json[]) => sumOf(rows.map(row => row.amount));
    const all = [...expected.withdrawals.values()];
    const { deposits } = expected;
    const printedAny = deposits.length + all.length + expected.rotations.length + expected.contracts.size > 0;
    if (printedAny)
      expect(totals).toEqual({
        ...{ deposits: deposits.length, deposited: amounts(deposits), requests: all.length, requested: amounts(all) },
        ...{ accepted: of('accepted').length, withdrawn: amounts(of('accepted')) },
        ...{ rejected: of('rejected').length, returned: amounts(of('rejected')) },
        fees: sumOf(of('accepted').map(each => each.fee)),
      });
    seen.deposits += deposits.length;
    seen.accepted += of('accepted').length;
    seen.orphaned += deposits.filter(({ sweep }) => sweep.canonical === false).length;
    seen.forks +=
      told.flatMap(({ messages }) => messages).filter(({ path }) => path === '/new_block').length - chain.length;
  });
  await playHistories('sBTC', property, histories);
  for (const [name, count] of Object.entries(seen)) expect([name, count > 0]).toEqual([name, true]);
});
