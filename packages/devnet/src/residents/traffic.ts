import { accountAt } from '../chain/account.ts';
import type { Action, BurnAction, Failure } from '../chain/action.ts';
import type { BranchState } from '../chain/branch-state.ts';
import { coinOf, itemsOf, type TokenCall } from '../contracts/token-contract.ts';
import type { Random } from '../random.ts';

/** The accounts that send the traffic of a chain. */
export type TrafficAccounts = { count: number; mainnet: boolean };

const contractNames = ['token', 'market', 'club'];
const items = 6;

/** A random valid action of one of the accounts. */
export function randomAction(random: Random, state: BranchState, accounts: TrafficAccounts): Action {
  const from = random.below(accounts.count);
  const { address } = accountAt(from, accounts.mainnet);
  const fee = BigInt(100 + random.below(900));
  const sponsor = random.chance(6) ? (from + 1) % accounts.count : undefined;
  const common = { from, fee, ...(sponsor !== undefined && { sponsor }) };
  const choices: (() => Action)[] = [
    () => ({
      ...common,
      kind: 'transfer',
      to: randomPrincipal(random, state, accounts),
      ...gift(random, state, address),
    }),
  ];
  const name = random.pick(contractNames);
  if (!state.contracts.has(`${address}.${name}`)) {
    choices.push(() => ({ ...common, kind: 'deploy', name, ...failing(random, ['response']) }));
  }
  if (!state.locked.has(address) && state.spendable(address) > 1_000_000n) {
    const amount = state.spendable(address) / BigInt(2 + random.below(4));
    choices.push(() => ({
      ...common,
      kind: 'stack',
      amount,
      cycles: 1 + random.below(12),
      ...failing(random, ['response']),
    }));
  }
  if (state.contracts.size > 0) {
    const contract = random.pick([...state.contracts]);
    const call = (): Action => ({
      ...common,
      kind: 'call',
      contract,
      call: randomCall(random, state, accounts, contract, address),
      ...failing(random, ['response', 'post_condition']),
    });
    choices.push(call, call, call, call);
  }
  return random.pick(choices)();
}

function randomCall(
  random: Random,
  state: BranchState,
  accounts: TrafficAccounts,
  contract: string,
  sender: string,
): TokenCall {
  const to = randomPrincipal(random, state, accounts);
  const amount = BigInt(1 + random.below(1_000_000));
  const item = random.below(items);
  const calls: TokenCall[] = [
    { name: 'mint', amount, to },
    { name: 'announce', number: random.below(100) },
    { name: 'deposit', ...gift(random, state, sender) },
    { name: 'burn-stx', ...gift(random, state, sender) },
  ];
  const held = state.held(sender, coinOf(contract));
  if (held > 0n) {
    const part = random.chance(3) ? held : 1n + held / BigInt(2 + random.below(5));
    calls.push({ name: 'transfer', amount: part, to }, { name: 'burn', amount: part });
  }
  const owner = state.owner(itemsOf(contract), item);
  if (owner === undefined) calls.push({ name: 'mint-item', item, to });
  if (owner === sender) calls.push({ name: 'transfer-item', item, to }, { name: 'burn-item', item });
  return random.pick(calls);
}

/** A random action of one of the accounts through Bitcoin. */
export function randomBurnAction(random: Random, state: BranchState, accounts: TrafficAccounts): BurnAction {
  const from = random.below(accounts.count);
  const { address } = accountAt(from, accounts.mainnet);
  const to = accountAt(random.below(accounts.count), accounts.mainnet).address;
  const { amount } = gift(random, state, address);
  const free = !state.locked.has(address) && amount > 0n;
  switch (random.below(3)) {
    case 0:
      return { from, kind: 'transfer_stx', to, amount, memo: 'by burn' };
    case 1:
      return { from, kind: 'stack_stx', amount, cycles: 1 + random.below(12), rejected: !free };
    default:
      return { from, kind: 'delegate_stx', to, amount, ...(random.chance(2) && { untilBurnHeight: 5_000 }) };
  }
}

/** A random account, or sometimes a contract. */
function randomPrincipal(random: Random, state: BranchState, accounts: TrafficAccounts): string {
  if (state.contracts.size > 0 && random.chance(5)) return random.pick([...state.contracts]);
  return accountAt(random.below(accounts.count), accounts.mainnet).address;
}

/** A part of the spendable balance that leaves enough for fees. */
function gift(random: Random, state: BranchState, address: string): { amount: bigint } {
  const free = state.spendable(address) - 100_000n;
  return { amount: free <= 0n ? 0n : free / BigInt(3 + random.below(1000)) };
}

const failing = (random: Random, ways: Failure[]): { fails?: Failure } =>
  random.chance(6) ? { fails: random.pick(ways) } : {};
