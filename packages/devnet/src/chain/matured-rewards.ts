import { accountAt } from './account.ts';
import type { BranchState } from './branch-state.ts';

/** Miner rewards: the coinbase in micro-STX, and the number of tenures until payment. */
export type RewardRules = { coinbase: bigint; maturity: number; mainnet: boolean; nakamoto: boolean };

/**
 * Pays the rewards that mature when the newest tenure of the branch starts: to the miner of an old tenure its coinbase and
 * fees, and to the previous miner its share. In Nakamoto the second entry contains all fees of the previous tenure.
 */
export function payMatured(state: BranchState, { coinbase, maturity, mainnet, nakamoto }: RewardRules): object[] {
  const place = state.tenures.length - 1 - maturity;
  const matured = state.tenures[place];
  if (!matured) return [];
  const before = state.tenures[place - 1];
  const share = nakamoto ? 0n : (matured.feesStreamed * 3n) / 5n;
  const entries = [
    {
      miner: matured.miner,
      of: matured,
      coinbase,
      anchored: nakamoto ? 0n : matured.feesAnchored,
      confirmed: share,
      produced: 0n,
    },
  ];
  if (before) {
    const produced = nakamoto ? before.feesAnchored : matured.feesStreamed - share;
    entries.push({ miner: before.miner, of: before, coinbase: 0n, anchored: 0n, confirmed: 0n, produced });
  }
  return entries.map(entry => {
    const { address } = accountAt(entry.miner, mainnet);
    state.credit(address, entry.coinbase + entry.anchored + entry.confirmed + entry.produced);
    state.supply += entry.coinbase;
    return {
      recipient: address,
      miner_address: address,
      coinbase_amount: String(entry.coinbase),
      tx_fees_anchored: String(entry.anchored),
      tx_fees_streamed_confirmed: String(entry.confirmed),
      tx_fees_streamed_produced: String(entry.produced),
      from_stacks_block_hash: entry.of.blockHash,
      from_index_consensus_hash: entry.of.indexHash,
    };
  });
}
