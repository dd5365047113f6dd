import { isInboundTransfer } from '../../chain/inbound-transfer.ts';
import { directRoles, role } from '../../chain/role.ts';
import { payloadIds, statusCodes } from '../../chain/transaction.ts';
import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';
import type { PlacedTransaction } from '../rows/resolved-block.ts';
import { total } from '../rows/running-totals.ts';

export const principalTransactionsTable: Table = {
  name: 'principal_transactions',
  columns: {
    principal: 'principal',
    height: 'int4',
    seq: 'int4',
    direct_seq: 'int4',
    event_seq: 'int4',
    inbound_seq: 'int4',
    place: 'int2',
    role: 'int2',
    sent: 'numeric',
    received: 'numeric',
  },
};

/** What one transaction was to one principal. */
export type Involvement = { role: number; sent: bigint; received: bigint; events: number; inbound: number };

/** The history of each account: which transactions touched it, how, and what they moved for it. */
export const principalTransactions: Projection = {
  tables: [principalTransactionsTable],

  apply({ height, transactions }, ledger, _totals, rows) {
    for (const tx of transactions) {
      for (const [principal, part] of involvements(tx)) {
        const history = total(ledger.history, principal);
        history.seq++;
        if (part.role & directRoles) history.direct++;
        history.events += part.events;
        history.inbound += part.inbound;
        rows.add(principalTransactionsTable, [
          principal,
          height,
          history.seq,
          history.direct,
          history.events,
          history.inbound,
          tx.place,
          part.role,
          part.sent,
          part.received,
        ]);
      }
    }
  },
};

/** Everyone a transaction touched. Pure. */
export function involvements(tx: PlacedTransaction): Map<number, Involvement> {
  const parts = new Map<number, Involvement>();
  const part = (principal: number, bit: number): Involvement => {
    let found = parts.get(principal);
    if (!found) {
      found = { role: 0, sent: 0n, received: 0n, events: 0, inbound: 0 };
      parts.set(principal, found);
    }
    found.role |= bit;
    return found;
  };
  part(tx.sender, role.sender);
  if (tx.sponsor) part(tx.sponsor, role.sponsor);
  if (tx.payer) part(tx.payer, role.payer);
  if (tx.target) part(tx.target, role.target);
  // A transfer is counted by its transaction, which not every release gave an event; other transactions by their events.
  const transfer = tx.payloadId === payloadIds.token_transfer;
  if (transfer && tx.target && tx.status === statusCodes.success) part(tx.target, role.target).inbound++;
  for (const [index, event] of tx.events.entries()) {
    switch (event.source.kind) {
      case 'print':
      case 'unknown':
        continue;
      case 'stx_lock':
        part(event.sender, role.lock).events++;
        continue;
    }
    const stx = event.source.kind.startsWith('stx_');
    const bit = stx ? role.stx : event.source.kind.startsWith('ft_') ? role.ft : role.nft;
    if (event.sender) {
      const sender = part(event.sender, bit);
      sender.events++;
      if (stx) sender.sent += event.amount;
    }
    if (event.recipient) {
      const recipient = part(event.recipient, bit);
      if (event.recipient !== event.sender) recipient.events++;
      if (stx) recipient.received += event.amount;
      if (!transfer && isInboundTransfer(event.source, tx.events[index + 1]?.source)) recipient.inbound++;
    }
  }
  return parts;
}
