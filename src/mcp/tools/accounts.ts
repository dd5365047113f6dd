import { Type } from 'typebox';
import { BadArguments, path } from '../api-reader.ts';
import { input, Limit, Principal } from '../params.ts';
import { untrustedTexts } from '../text.ts';
import { tool } from '../tool.ts';
import { btc, stx, tokenAmount } from '../units.ts';

type Balance = {
  balance: string;
  available: string;
  locked: { amount: string; burn_unlock_height: number } | null;
  mempool: { estimated_balance?: string } | null;
};
type Tokens = {
  total: number;
  results: { asset_identifier: string; balance: string; metadata?: { symbol?: string; decimals?: number } }[];
};
type Items = { total: number; results: { asset_identifier: string; value: { repr: string } }[] };
type Names = { results: { name: string; expires?: unknown }[]; next_cursor: string | null };
type Nonces = { next_nonce: number; missing_nonces: number[]; pending: unknown[] };

export const account = tool({
  name: 'account',
  title: 'What an account holds',
  description:
    'STX (available, locked), fungible tokens, collectibles, names, next nonce and pending transactions of an account or contract.',
  input: input({ principal: Principal, limit: Limit }),
  async run({ principal, limit = 10 }, api) {
    const of = path`/extended/v3/principals/${principal}`;
    const [balance, tokens, items, names, nonces] = await Promise.all([
      api.get<Balance>(`${of}/balances/stx`),
      api.get<Tokens>(`${of}/balances/ft`, { limit, metadata: true }),
      api.get<Items>(`${of}/balances/nft`, { limit }),
      api.get<Names>(path`/extended/v1/names/by-owner/${principal}`, { limit }),
      principal.includes('.') ? undefined : api.get<Nonces>(path`/extended/v1/address/${principal}/mempool/nonces`),
    ]);
    return {
      data: {
        principal,
        stx: {
          balance: stx(balance.balance),
          available: stx(balance.available),
          ...(balance.locked && {
            locked: stx(balance.locked.amount),
            unlocks_at_bitcoin_block: balance.locked.burn_unlock_height,
          }),
        },
        tokens: tokens.results.map(({ asset_identifier: asset, balance, metadata }) => ({
          amount: tokenAmount(balance, asset, metadata),
          asset,
        })),
        ...(tokens.total > tokens.results.length && { tokens_truncated_from: tokens.total }),
        collectibles: items.results.map(({ asset_identifier, value }) => ({
          asset: asset_identifier,
          item: untrustedTexts(value.repr, 200),
        })),
        ...(items.total > items.results.length && { collectibles_truncated_from: items.total }),
        names: names.results.map(({ name }) => untrustedTexts(name, 100)),
        ...(nonces && {
          next_nonce: nonces.next_nonce,
          ...(nonces.missing_nonces.length > 0 && { missing_nonces: nonces.missing_nonces.slice(0, 20) }),
          pending_transactions: nonces.pending.length,
        }),
      },
      next_steps: [
        `transactions {"principal":"${principal}"} lists what it did`,
        ...(nonces && nonces.pending.length > 0
          ? [`transactions {"principal":"${principal}","pending":true} lists what waits`]
          : []),
      ],
    };
  },
});

type Name = { name: string; owner: string; state: string; expires: unknown; tx_id: string; block_height: number };

export const names = tool({
  name: 'names',
  title: 'Look up a name or the names of an account',
  description:
    'The owner, state and expiry of a name such as alice.btc, or all names that an account owns. Give one of the two.',
  input: input({
    name: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9_-]{1,48}(\\.[a-z0-9_-]{1,48}){1,2}$',
        description: 'A whole name: label.namespace.',
      }),
    ),
    principal: Type.Optional(Principal),
  }),
  async run({ name, principal }, api) {
    if ((name === undefined) === (principal === undefined))
      throw new BadArguments('Give either name (alice.btc) or principal (an address), not both');
    if (principal !== undefined) {
      const { results } = await api.get<Names>(path`/extended/v1/names/by-owner/${principal}`, { limit: 50 });
      return { data: { principal, names: results.map(each => untrustedTexts(each.name, 100)) } };
    }
    const found = await api.find<Name>(path`/extended/v1/names/${name!}`);
    if (!found) return { data: { name, state: 'not registered on this chain' } };
    const { owner, state, expires, block_height, tx_id } = found;
    return {
      data: { name, owner, state, expires, last_change_block: block_height, tx_id },
      next_steps: owner ? [`account {"principal":"${owner}"} says what the owner holds`] : undefined,
    };
  },
});

type Pox = {
  contract_id: string;
  current_burnchain_block_height: number;
  min_amount_ustx: number;
  next_reward_cycle_in: number;
  current_cycle: { id: number; stacked_ustx: number };
  next_cycle: { id: number; stacked_ustx: number; min_threshold_ustx: number };
};
type Staking = { stx: { locked: string; rewards: { btc: { claimable: string } } }; bonds: { count: number } };

export const stacking = tool({
  name: 'stacking',
  title: 'Stacking: the cycle, and what an account has locked',
  description:
    'The current and next cycle of stacking; with a principal also what it has locked, until when, and what it can claim.',
  input: input({ principal: Type.Optional(Principal) }),
  async run({ principal }, api) {
    const pox = await api.find<Pox>('/v2/pox');
    const chain = pox && {
      contract: pox.contract_id,
      bitcoin_block: pox.current_burnchain_block_height,
      current_cycle: pox.current_cycle.id,
      stacked_now: stx(BigInt(pox.current_cycle.stacked_ustx)),
      next_cycle: pox.next_cycle.id,
      next_cycle_begins_in_bitcoin_blocks: pox.next_reward_cycle_in,
      stacked_for_next: stx(BigInt(pox.next_cycle.stacked_ustx)),
      minimum: stx(BigInt(pox.min_amount_ustx)),
    };
    if (principal === undefined) return { data: chain ?? { note: 'No node is attached that knows the cycle.' } };
    const of = path`/extended/v3/principals/${principal}`;
    const [balance, staking] = await Promise.all([
      api.get<Balance>(`${of}/balances/stx`),
      api.find<Staking>(`${of}/staking`),
    ]);
    return {
      data: {
        ...(chain && { chain }),
        principal,
        locked: balance.locked ? stx(balance.locked.amount) : 'nothing',
        ...(balance.locked && { unlocks_at_bitcoin_block: balance.locked.burn_unlock_height }),
        ...(staking && { bonds: staking.bonds.count, claimable: btc(staking.stx.rewards.btc.claimable) }),
      },
    };
  },
});
