import type { Block } from './block.ts';
import { originOf, sponsorOf } from './pox/signer.ts';

/** Everybody whose STX a block may have changed: signers, sides of its events, miners it rewards. */
export function accountsOf(block: Block): Set<string> {
  const accounts = new Set(block.rewards.map(({ recipient }) => recipient));
  for (const { transaction, burnOperation, events } of block.receipts) {
    if (transaction) {
      accounts.add(originOf(transaction));
      const sponsor = sponsorOf(transaction);
      if (sponsor !== undefined) accounts.add(sponsor);
    }
    if (burnOperation) accounts.add(burnOperation.sender);
    for (const event of events) {
      if ('sender' in event) accounts.add(event.sender);
      if ('recipient' in event) accounts.add(event.recipient);
      if ('principal' in event) accounts.add(event.principal);
    }
  }
  return accounts;
}
