import { list, none, principal, some, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex } from '@cairn-stacks/codec/hex';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { printed, withSbtc } from './sbtc-chain.ts';
import { cycleBlocks, cycleOf, type PlainPrint, StakingBooks } from './staking-books.ts';

export const pox = 'ST000000000000000000002AMW42H.pox-5';
export const storyStakers = [901, 902, 903, 904].map(account => accountAt(account, false).address);
export const storySigners = ['one', 'two'].map(name => `${accountAt(905, false).address}.${name}`);

// biome-ignore lint/suspicious/noExplicitAny: messages of any shape
type Json = any;

const bondCycles = 4;
const stx = 1_000_000n;

/** Prints of pox-5 as Clarity values, and back. */
function toClarity({ topic, ...fields }: PlainPrint): ClarityValue {
  const isOptional = (name: string) => name === 'bond-index' && topic === 'claim-staker-rewards-for-signer';
  const clarityOf = (value: Json): ClarityValue => {
    if (typeof value === 'bigint') return uint(value);
    if (typeof value === 'string') return principal(value);
    if (Array.isArray(value)) return list(value.map(clarityOf));
    return tuple(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, clarityOf(inner)])));
  };
  const entries = Object.entries(fields).map(([name, value]): [string, ClarityValue] => [
    name,
    isOptional(name) ? (value === undefined ? none : some(clarityOf(value))) : clarityOf(value),
  ]);
  return tuple({ topic: stringAscii(topic), ...Object.fromEntries(entries) });
}

function plain(value: ClarityValue): Json {
  switch (value.type) {
    case 'uint':
      return value.value;
    case 'string-ascii':
      return value.text;
    case 'principal':
      return value.contract === undefined ? value.address : `${value.address}.${value.contract}`;
    case 'some':
      return plain(value.value);
    case 'list':
      return value.items.map(plain);
    case 'tuple':
      return Object.fromEntries(value.entries.map(entry => [entry.name, plain(entry.value)]));
    default:
      return undefined;
  }
}

/** The books of a chain, from the raw prints of its blocks. */
export function booksOf(messages: readonly Message[]): StakingBooks {
  const books = new StakingBooks();
  for (const { body } of messages as readonly { body: Json }[]) {
    for (const { contract_event: event } of body.events ?? []) {
      if (event?.contract_identifier !== pox) continue;
      books.apply(plain(decodeClarity(fromHex(event.raw_value))), body.burn_block_height);
    }
  }
  return books;
}

/** What accounts do in a block, each list one transaction: a choice of what the contract would allow after these books. */
function actionsIn(books: StakingBooks, seed: number, burnHeight: number): PlainPrint[][] {
  let state = seed;
  const pick = (choices: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % choices;
  };
  const told: PlainPrint[][] = [];
  const tell = (...prints: PlainPrint[]) => {
    for (const print of prints) books.apply(print, burnHeight);
    told.push(prints);
  };
  for (let i = 0; i < 3; i++) {
    const step = stepOf(books, storyStakers[pick(storyStakers.length)]!, cycleOf(burnHeight), pick);
    if (step) tell(step);
  }
  const height = Math.floor(burnHeight / (cycleBlocks / 2)) * (cycleBlocks / 2) - 1;
  if (height > (books.calculated.at(-1)?.height ?? 0) && pick(4) > 0) tell(...calculationAt(books, height, pick));
  for (let i = 0; i < 2; i++) {
    const cycle = cycleOf(burnHeight) - pick(2);
    const bonds = Array.from({ length: pick(bondCycles) }, (_, n) => ({ 'bond-index': BigInt(cycle - n), earned: 0n }));
    const claim = { 'reward-cycle': BigInt(cycle), 'signer-manager': storySigners[pick(2)]!, 'bond-rewards': bonds };
    if (pick(2) > 0) tell({ topic: 'claim-rewards', ...claim, 'stx-rewards': { earned: 0n } });
  }
  for (let i = 0; i < 2; i++) {
    const [cycle, staker] = [cycleOf(burnHeight) - pick(4), storyStakers[pick(storyStakers.length)]!];
    if (!books.held.has(`${cycle} ${staker}`)) continue;
    const { signer, bond, claimable } = books.rewards(cycle, staker);
    const index = bond < 0 ? undefined : BigInt(bond);
    const claim = { staker, 'signer-manager': signer, 'reward-cycle': BigInt(cycle), 'bond-index': index };
    tell({ topic: 'claim-staker-rewards-for-signer', ...claim, 'rewards-claimed': claimable });
  }
  return told;
}

type Pick = (choices: number) => number;

/** A step that the contract would allow a staker in a cycle. */
function stepOf(books: StakingBooks, staker: string, cycle: number, pick: Pick): PlainPrint | undefined {
  const next = cycle + 1;
  const ahead = [...books.held]
    .map(([key, held]) => ({ cycle: Number(key.split(' ')[0]), staker: key.split(' ')[1], held }))
    .filter(each => each.staker === staker && each.cycle >= next)
    .sort((a, b) => a.cycle - b.cycle);
  const signer = storySigners[pick(2)]!;
  const end = (ahead.at(-1)?.cycle ?? cycle) + 1;
  const unlock = (at: number) => ({ 'unlock-cycle': BigInt(at), 'unlock-burn-height': BigInt(at * cycleBlocks) });
  const last = ahead.at(-1)?.held;
  const choice = pick(3);
  if (!last ? choice === 0 : last.bond < 0 && choice === 0) {
    const first = last ? end : next + pick(2);
    const bond = {
      'bond-index': BigInt(first),
      'sats-total': BigInt(1 + pick(5_000_000)),
      'first-reward-cycle': BigInt(first),
    };
    return {
      ...{ topic: 'register-for-bond', staker, signer, 'amount-ustx': BigInt(1 + pick(40_000)) * stx },
      ...{ ...bond, ...unlock(first + bondCycles) },
    };
  }
  if (!last) {
    const amount = [20_000n, 49_999n, 50_000n, 90_001n][pick(4)]! * stx + BigInt(pick(1000));
    const first = { 'first-reward-cycle': BigInt(next), ...unlock(next + 1 + pick(4)) };
    return { topic: 'stake', staker, signer, 'amount-ustx': amount, ...first };
  }
  if (last.bond < 0 && choice === 1) {
    return { topic: 'unstake', staker, signer: last.signer, 'amount-ustx': last.stx, ...unlock(next) };
  }
  if (last.bond < 0) {
    const to = end + pick(3);
    const amount = { 'amount-ustx': last.stx + BigInt(pick(30_000)) * stx, 'num-cycles': BigInt(to - next) };
    return { topic: 'stake-update', staker, signer, 'prev-unlock-height': BigInt(end), ...amount, ...unlock(to) };
  }
  const bond = { staker, 'bond-index': BigInt(last.bond) };
  if (choice === 0 && last.sats > 0n) {
    const left = pick(3) === 0 ? 0n : last.sats / 2n;
    return { topic: 'unstake-sbtc', ...bond, signer: last.signer, 'new-amount-sats': left };
  }
  if (choice === 1 && pick(3) === 0) return { topic: 'announce-l1-early-exit', ...bond, signer: last.signer };
  const from = Math.max(next, last.bond);
  const cycles = { 'first-reward-cycle': BigInt(from), 'num-cycles': BigInt(last.bond + bondCycles - from) };
  const amounts = { 'amount-ustx': last.stx, 'amount-sats': last.sats };
  return { topic: 'update-bond-registration', ...bond, signer, ...amounts, ...cycles };
}

/** The prints of a calculation; some find no stakers. */
function calculationAt(books: StakingBooks, height: number, pick: Pick): PlainPrint[] {
  const cycle = cycleOf(height);
  const bonds = Array.from({ length: bondCycles }, (_, n) => cycle - n).map(bond => ({
    topic: 'bond-distribution',
    'bond-index': BigInt(bond),
    'bond-rewards': BigInt(pick(100_000)),
    'bond-staked-sats': books.shares(cycle, bond),
  }));
  const all = { 'stx-cycle': BigInt(cycle), 'calculation-height': BigInt(height) };
  const shared = { 'total-stx-staker-rewards': BigInt(pick(3_000_000)), 'cycle-staked-ustx': books.shares(cycle, -1) };
  return [...bonds, { topic: 'calculate-rewards', ...all, ...shared }];
}

/** Messages of blocks with what stakers do in them, on every branch what its own chain allows. */
export function stakingStory(blocks: readonly Message[]): (message: Message) => Message {
  const byHash = new Map(blocks.map(block => [(block.body as Json).index_block_hash as string, block]));
  const told = new Map<string, Message>();
  const chainOf = (message: Message): Message[] => {
    const parent = byHash.get((message.body as Json).parent_index_block_hash);
    return parent ? [...chainOf(parent), tell(parent)] : [];
  };
  const tell = (message: Message): Message => {
    const { index_block_hash: hash, block_height: height, burn_block_height: burnHeight } = message.body as Json;
    if (message.path !== '/new_block' || height === 0) return message;
    const known = told.get(hash);
    if (known) return known;
    const seed = Number.parseInt(hash.slice(2, 9), 16);
    const transactions = actionsIn(booksOf(chainOf(message)), seed, burnHeight);
    const more = transactions.map(prints => prints.map(print => printed(toClarity(print), pox)));
    const block = withSbtc(message, more);
    told.set(hash, block);
    return block;
  };
  return tell;
}
