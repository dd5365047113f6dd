import { fromHex } from '@cairn-stacks/codec/hex';
import {
  decodeTransaction,
  payingCondition,
  senderAddress,
  sponsorAddress,
} from '@cairn-stacks/codec/transaction/transaction';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';

type Body = Record<string, string>;
type EventJson = { txid: string; committed: boolean; type: string } & Record<string, unknown>;
type TransactionJson = { txid: string; status: string; raw_tx: string };
type BlockJson = { events: EventJson[]; transactions: TransactionJson[]; matured_miner_rewards: Body[] };

/** Balances added up from messages in the plainest way, apart from everything the fold does. */
export type Balances = {
  /** `principal` → micro-STX; `principal asset` → tokens. */
  held: Map<string, bigint>;
  supply: bigint;
  /** Fees that were paid and have not reached a miner yet. */
  unpaidFees: bigint;
};

export function addUp(blocks: readonly Message[]): Balances {
  const held = new Map<string, bigint>();
  const add = (key: string, amount: bigint) => held.set(key, (held.get(key) ?? 0n) + amount);
  let supply = 0n;
  let unpaidFees = 0n;
  for (const { body } of blocks) {
    const block = body as BlockJson;
    const succeeded = new Set(block.transactions.filter(t => t.status === 'success').map(t => t.txid));
    for (const { raw_tx } of block.transactions) {
      if (raw_tx === '0x00') continue;
      const transaction = decodeTransaction(fromHex(raw_tx));
      const { fee } = payingCondition(transaction);
      add(sponsorAddress(transaction) ?? senderAddress(transaction), -fee);
      unpaidFees += fee;
    }
    for (const event of block.events) {
      const change = event[event.type] as Body;
      if (!event.committed || !succeeded.has(event.txid) || !/^(stx|ft)_(transfer|mint|burn)/.test(event.type))
        continue;
      const amount = BigInt(change.amount!);
      const asset = change.asset_identifier === undefined ? '' : ` ${change.asset_identifier}`;
      if (change.sender) add(change.sender + asset, -amount);
      if (change.recipient) add(change.recipient + asset, amount);
      if (event.type === 'stx_mint_event') supply += amount;
      if (event.type === 'stx_burn_event') supply -= amount;
    }
    for (const reward of block.matured_miner_rewards) {
      const fees =
        BigInt(reward.tx_fees_anchored!) +
        BigInt(reward.tx_fees_streamed_confirmed!) +
        BigInt(reward.tx_fees_streamed_produced!);
      add(reward.recipient!, BigInt(reward.coinbase_amount!) + fees);
      supply += BigInt(reward.coinbase_amount!);
      unpaidFees -= fees;
    }
  }
  return { held, supply, unpaidFees };
}
