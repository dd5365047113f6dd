import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { Random } from '@cairn-stacks/devnet/random';
import { testChain } from './chain.ts';
import { addressOf } from './served-chain.ts';

type Forked = {
  seed: number;
  length: number;
  /** Adds NFTs of the first account, which are minted, moved and burnt at last. */
  items?: boolean;
};

/** Blocks with traffic of every kind among a few accounts, in the order of arrival; every fourth block a branch is left. */
export function forkedBlocks({ seed, length, items = false }: Forked): BuiltBlock[] {
  const chain = testChain({ seed, accounts: 4 });
  const posted: BuiltBlock[] = [chain.genesis];
  let tip = chain.genesis;
  for (let i = 1; i <= length; i++) {
    const parent = tip;
    tip = chain.mine(parent, { transactions: 5 });
    posted.push(tip);
    // The branch gets longer than the chain so far, and is the chain from then on.
    if (i % 4 === 0) {
      const left = chain.mine(parent, { transactions: 5 });
      tip = chain.mine(left, { transactions: 5 });
      posted.push(left, tip);
    }
  }
  if (items) posted.push(...itemBlocks(chain, tip));
  return posted;
}

/** NFTs that are minted, and moved on a branch that a longer one replaces. */
function itemBlocks(chain: ReturnType<typeof testChain>, tip: BuiltBlock): BuiltBlock[] {
  const [alice, bob, carol] = [0, 1, 2].map(addressOf) as [string, string, string];
  const call = { kind: 'call', contract: `${alice}.items` } as const;
  const mints = [1, 2, 3, 4, 5].map(item => ({
    ...call,
    from: 0,
    call: { name: 'mint-item', item, to: alice } as const,
  }));
  const first = chain.mine(tip, { transactions: [{ kind: 'deploy', from: 0, name: 'items' }, ...mints] });
  const move = (from: number, item: number, to: string) =>
    ({ ...call, from, call: { name: 'transfer-item', item, to } }) as const;
  const left = chain.mine(first, { transactions: [move(0, 1, bob), move(0, 2, bob)] });
  const second = chain.mine(first, { transactions: [move(0, 1, carol), move(0, 3, bob)] });
  const third = chain.mine(second, {
    transactions: [move(2, 1, bob), { ...call, from: 0, call: { name: 'burn-item', item: 2 } }],
  });
  return [first, left, second, third, chain.mine(third, { transactions: [move(1, 1, alice)] })];
}

export type FilterMix = Record<string, string>;

/** A line of an export. */
export type ExportRow = Readonly<Record<string, string | number | null>>;

type Draw = (random: Random) => string | undefined;

/** What a row is filtered by that is not in it. */
type Facts = { burnTime: number; calls: string | undefined };

/**
 * A second, simple reading of the filters: mixes with values that some row has, and the rows that match a mix. Without `names` all
 * filters of the list are tried.
 */
export async function openFilterOracle(
  // biome-ignore lint/suspicious/noExplicitAny: a response of any shape
  get: (url: string) => Promise<any>,
  list: string,
  rows: readonly ExportRow[],
  names?: readonly string[],
) {
  const functions = new Map<unknown, string | undefined>();
  const times = new Map<unknown, number>();
  for (const { tx_id, block_height } of rows) {
    if (tx_id !== null && !functions.has(tx_id)) {
      functions.set(tx_id, (await get(`/extended/v1/tx/${tx_id}`)).contract_call?.function_name);
    }
    if (!times.has(block_height)) {
      times.set(block_height, (await get(`/extended/v1/block/by_height/${block_height}`)).burn_block_time);
    }
  }
  const factsOf = (row: ExportRow): Facts => ({
    burnTime: times.get(row.block_height)!,
    calls: functions.get(row.tx_id),
  });
  const column =
    (name: string): Draw =>
    random => {
      const value = random.pick(rows)[name];
      return value === null || value === undefined ? undefined : String(value);
    };
  const time: Draw = random => String(factsOf(random.pick(rows)).burnTime);
  const statuses = ['success', 'failed', 'abort_by_response', 'abort_by_post_condition', 'problematic_skipped'];
  const draws: Record<string, Draw> = {
    ...{ from_height: column('block_height'), to_height: column('block_height'), from_time: time, to_time: time },
    ...{ sender: column('sender_address'), recipient: column('recipient_address'), contract: column('contract_id') },
    function: random => factsOf(random.pick(rows)).calls,
    ...(list === 'transactions'
      ? { status: random => random.pick(statuses) }
      : { asset: column('asset'), event_type: column('event_type'), min_amount: column('amount') }),
  };
  const tried = Object.entries(draws).filter(([name]) => names?.includes(name) ?? true);
  return {
    mixes: (count: number): FilterMix[] => {
      const random = new Random(rows.length + count);
      return Array.from({ length: count }, () => {
        const drawn = tried.flatMap(([name, draw]) => {
          const value = random.chance(3) ? draw(random) : undefined;
          return value === undefined ? [] : [[name, value] as const];
        });
        const mix: FilterMix = Object.fromEntries(drawn);
        // An empty range is refused.
        if (Number(mix.from_height ?? 0) > Number(mix.to_height ?? Infinity)) delete mix.to_height;
        if (Number(mix.from_time ?? 0) > Number(mix.to_time ?? Infinity)) delete mix.to_time;
        return possible(list, mix);
      });
    },
    select: (mix: FilterMix): ExportRow[] => rows.filter(row => fits(list, row, mix, factsOf(row))),
  };
}

/** The mix without what contradicts the rest of it, which is refused too. */
function possible(list: string, { ...mix }: FilterMix): FilterMix {
  const { asset, contract } = mix;
  if (list === 'transactions') {
    if (contract !== undefined || mix.function !== undefined) delete mix.recipient;
    return mix;
  }
  if (asset !== undefined && contract !== undefined && !asset.startsWith(`${contract}::`)) delete mix.contract;
  const [stx, tokens] = [/^(stx_(transfer|mint|burn)|fee|mining_reward)$/, /^n?ft_/];
  if (asset !== undefined && mix.event_type && !(asset === 'STX' ? stx : tokens).test(mix.event_type))
    delete mix.event_type;
  if (mix.event_type && /^nft_|^contract_log$/.test(mix.event_type)) delete mix.min_amount;
  return mix;
}

const amountTypes = /^(stx|ft)_|^fee$|^mining_reward$/;

function fits(list: string, row: ExportRow, mix: FilterMix, { burnTime, calls }: Facts): boolean {
  const is = list === 'transactions';
  return Object.entries(mix).every(([name, value]) => {
    switch (name) {
      case 'from_height':
        return Number(row.block_height) >= Number(value);
      case 'to_height':
        return Number(row.block_height) <= Number(value);
      case 'from_time':
        return burnTime >= Number(value);
      case 'to_time':
        return burnTime <= Number(value);
      case 'sender':
        return row.sender_address === value;
      case 'recipient':
        return row.recipient_address === value;
      case 'contract':
        return row.contract_id === value;
      case 'function':
        return is ? row.function_name === value : calls === value;
      case 'status':
        return value === 'failed' ? row.tx_status !== 'success' : row.tx_status === value;
      case 'asset':
        return row.asset === value && row.event_type !== 'stx_lock';
      case 'event_type':
        return value.split(',').includes(String(row.event_type));
      case 'min_amount':
        return amountTypes.test(String(row.event_type)) && BigInt(row.amount ?? 0) >= BigInt(value);
      default:
        throw new Error(`no oracle for ${name}`);
    }
  });
}
