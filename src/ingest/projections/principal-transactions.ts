import { isInboundTransfer } from '../../chain/inbound-transfer.ts';
import { directRoles, role } from '../../chain/role.ts';
import { payloadIds, statusCodes } from '../../chain/transaction.ts';
import type { HistoryTable } from '../rows/history-table.ts';
import type { Projection } from '../rows/projection.ts';
import type { ResolvedTransaction } from '../rows/resolved-block.ts';
import { integerKey, type RunningTotal } from '../rows/running-total.ts';
import { loaded } from '../rows/running-totals.ts';

const principalTransactionsTable: HistoryTable = {
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
  key: ['principal'],
  order: ['height', 'place'],
};

/** How many transactions a principal has, and how many of them are of a kind. */
type HistoryTotals = { seq: number; direct: number; events: number; inbound: number };

const historyTotals: RunningTotal<number, HistoryTotals> = {
  history: principalTransactionsTable,
  values: ['seq', 'direct_seq', 'event_seq', 'inbound_seq'],
  ...integerKey('principal'),
  initial: () => ({ seq: 0, direct: 0, events: 0, inbound: 0 }),
  read: row => ({ seq: row.seq, direct: row.direct_seq, events: row.event_seq, inbound: row.inbound_seq }),
};

/** The part of one principal in one transaction. */
export type Involvement = { role: number; sent: bigint; received: bigint; events: number; inbound: number };

/** The history of each principal: its transactions, its roles in them, and the STX they moved. */
export const principalTransactions: Projection = {
  tables: [principalTransactionsTable],
  totals: [historyTotals],

  wants({ transactions }, want) {
    const account = (principal: number) => {
      if (principal) want(historyTotals, principal, principal);
    };
    for (const { sender, sponsor, target, events } of transactions) {
      account(sender);
      account(sponsor);
      account(target);
      for (const event of events) {
        account(event.sender);
        account(event.recipient);
      }
    }
  },

  apply({ height, transactions }, totals, _chain, rows) {
    const histories = totals.of(historyTotals);
    for (const tx of transactions) {
      for (const [principal, part] of involvements(tx)) {
        const history = loaded(histories, principal);
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
          tx.txPosition,
          part.role,
          part.sent,
          part.received,
        ]);
      }
    }
  },
};

/** Every principal that a transaction involves. Pure. */
function involvements(tx: ResolvedTransaction): Map<number, Involvement> {
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
