import { toHex } from '@cairn-stacks/codec/hex';
import { bootAddress } from '@cairn-stacks/codec/network';
import { payingCondition, senderAddress, sponsorAddress } from '@cairn-stacks/codec/transaction/transaction';
import type { Block } from '../../chain/block.ts';
import type { UnknownField } from '../../chain/unknown-field.ts';
import type { Json } from '../../node/json.ts';
import type { DueReward } from './due-rewards.ts';
import { findRewardSet } from './healed-reward-set.ts';
import type { CycleRules, NodeBlocks } from './node-blocks.ts';

/** A block that starts a tenure, with the facts of the block itself. */
export type TenureStart = {
  id: string;
  parentId: string;
  burnHeight: number;
  parentBurnHeight: number;
  mainnet: boolean;
  /** As its message would be read now. */
  block: Block;
};

/** What a tenure starts with in addition to the transactions of its first block, and what stays unknown. */
export type TenureFacts = {
  rewards: Json[];
  /** STX that a boot contract got with the coinbase. */
  emission: { recipient: string; amount: bigint } | undefined;
  rewardSet: { cycle: number; set: Json } | null;
  unknown: UnknownField[];
};

/**
 * Finds what a node does at the start of a tenure and does not repeat in a replay. Operations of Bitcoin transactions are
 * in no RPC response. The rest is checked against the state of the node before and after the block: only what adds up is known.
 */
export async function findTenureFacts(
  nodes: NodeBlocks,
  start: TenureStart,
  due: readonly DueReward[] | undefined,
  rules: CycleRules | undefined,
): Promise<TenureFacts> {
  const unknown: UnknownField[] = ['burn_operations'];
  if (!rules || rules.epochStarts.some(height => height > start.parentBurnHeight && height <= start.burnHeight)) {
    unknown.push('boot_contracts');
  }
  const minted = await reconcile(nodes, start, due);
  if (!minted) unknown.push('matured_miner_rewards', 'mints');
  const rewardSet = await findRewardSet(nodes, rules, start);
  if (rewardSet === undefined) unknown.push('reward_set');
  return {
    rewards: minted?.rewards ?? [],
    emission: minted?.emission,
    rewardSet: rewardSet ?? null,
    unknown,
  };
}

type Minted = Pick<TenureFacts, 'rewards' | 'emission'>;

/** Rewards and emission that explain every change of the supply and of the accounts concerned; undefined when none do. */
async function reconcile(
  nodes: NodeBlocks,
  start: TenureStart,
  due: readonly DueReward[] | undefined,
): Promise<Minted | undefined> {
  if (!due) return undefined;
  const moves = stxMoves(start.block);
  const grown = await change(id => nodes.supply(id), start);
  const contract = `${bootAddress(start.mainnet)}.sip-031`;
  const received = grown === undefined ? undefined : await change(id => nodes.balance(contract, id), start);
  if (grown === undefined || received === undefined) return undefined;
  const emitted = received - (moves.accounts.get(contract) ?? 0n);
  const coinbase = grown - moves.supply - emitted;
  if (emitted < 0n || coinbase < 0n || coinbase > 0n !== due.length > 0) return undefined;

  const expected = new Map<string, bigint>();
  for (const reward of due) {
    const amount = reward.feesAnchored + reward.feesProduced + (reward.getsCoinbase ? coinbase : 0n);
    expected.set(reward.recipient, (expected.get(reward.recipient) ?? 0n) + amount);
  }
  for (const [recipient, amount] of expected) {
    const got = await change(id => nodes.balance(recipient, id), start);
    if (got === undefined || got !== amount + (moves.accounts.get(recipient) ?? 0n)) return undefined;
  }
  return {
    rewards: due.map(reward => rewardJson(reward, reward.getsCoinbase ? coinbase : 0n)),
    emission: emitted > 0n ? { recipient: contract, amount: emitted } : undefined,
  };
}

/** How a figure of the node moved with a block; undefined where no node responds with it. */
async function change(
  figure: (blockId: string) => Promise<bigint | undefined>,
  { id, parentId }: TenureStart,
): Promise<bigint | undefined> {
  const [before, after] = await Promise.all([figure(parentId), figure(id)]);
  return before === undefined || after === undefined ? undefined : after - before;
}

/** How the transactions of a block move accounts and the supply. */
function stxMoves(block: Block): { accounts: Map<string, bigint>; supply: bigint } {
  const accounts = new Map<string, bigint>();
  let supply = 0n;
  const move = (principal: string, amount: bigint) => accounts.set(principal, (accounts.get(principal) ?? 0n) + amount);
  for (const { transaction, events } of block.receipts) {
    if (transaction) move(sponsorAddress(transaction) ?? senderAddress(transaction), -payingCondition(transaction).fee);
    for (const event of events) {
      if (event.kind === 'stx_transfer' || event.kind === 'stx_burn') move(event.sender, -event.amount);
      if (event.kind === 'stx_transfer' || event.kind === 'stx_mint') move(event.recipient, event.amount);
      if (event.kind === 'stx_mint') supply += event.amount;
      if (event.kind === 'stx_burn') supply -= event.amount;
    }
  }
  return { accounts, supply };
}

const rewardJson = (reward: DueReward, coinbase: bigint): Json => ({
  recipient: reward.recipient,
  miner_address: reward.miner,
  coinbase_amount: String(coinbase),
  tx_fees_anchored: String(reward.feesAnchored),
  tx_fees_streamed_confirmed: '0',
  tx_fees_streamed_produced: String(reward.feesProduced),
  from_stacks_block_hash: toHex(reward.blockHash),
  from_index_consensus_hash: toHex(reward.indexHash),
});
