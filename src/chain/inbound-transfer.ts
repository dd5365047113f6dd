import type { ChainEvent } from './event.ts';

/** The contract by which exchanges pay many at once: it prints the memo of each payment right after it. */
export const bulkSender = 'send-many-memo';

/** True if an event is a payment with a memo, its own or in the print of the bulk contract after it. */
export function isInboundTransfer(event: ChainEvent, next: ChainEvent | undefined): boolean {
  if (event.kind !== 'stx_transfer') return false;
  return event.memo.length > 0 || (next?.kind === 'print' && next.contract.endsWith(`.${bulkSender}`));
}
