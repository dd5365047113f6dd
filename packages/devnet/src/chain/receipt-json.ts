import { toHex } from '@cairn-stacks/codec/hex';
import type { Random } from '../random.ts';
import { eventJson } from './event-json.ts';
import type { Executed } from './executed.ts';
import type { Release } from './release.ts';

/** The `transactions` and `events` of a message: events are numbered over the whole message and come in any order. */
export function receiptsJson(executed: readonly Executed[], release: Release, random: Random) {
  const events: object[] = [];
  for (const { txId, events: committed, uncommitted } of executed) {
    const sent = release.sendsUncommitted ? uncommitted : [];
    for (const event of [...committed, ...sent]) {
      const { type, body } = eventJson(event, release);
      events.push({ txid: txId, event_index: events.length, committed: !sent.includes(event), type, [type]: body });
    }
  }
  return {
    transactions: executed.map((each, index) => receiptJson(each, index, release)),
    events: shuffle(events, random),
  };
}

/** One entry of `transactions`. */
export function receiptJson(executed: Executed, index: number, release: Release): object {
  const { microblock } = executed;
  return {
    txid: executed.txId,
    tx_index: index,
    status: executed.status,
    raw_result: toHex(executed.result),
    raw_tx: executed.raw,
    [release.interfaceKey]: executed.contractInterface,
    burnchain_op: executed.burnOperation,
    execution_cost: executed.cost,
    microblock_sequence: microblock?.sequence ?? null,
    microblock_hash: microblock?.hash ?? null,
    microblock_parent_hash: microblock?.parentHash ?? null,
    ...(release.sendsVmError && { vm_error: executed.vmError }),
  };
}

function shuffle<T>(items: T[], random: Random): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}
