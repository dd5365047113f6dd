import { originOf } from '../../chain/pox/signer.ts';
import { mayNotify, readTokenNotification, tokenClasses } from '../../chain/tokens/token-notification.ts';
import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';
import type { ResolvedTransaction } from '../rows/resolved-block.ts';

const tokenNotificationsTable: Table = {
  name: 'token_notifications',
  columns: {
    height: 'int4',
    event_index: 'int4',
    contract: 'principal',
    place: 'int2',
    class: 'int2',
    valid: 'bool',
  },
};

/** Notifications of changed token metadata; invalid ones are stored too, and marked. */
export const tokenNotifications: Projection = {
  tables: [tokenNotificationsTable],

  apply({ height, transactions, names }, _totals, _chain, rows) {
    for (const transaction of transactions) {
      for (const { source, index } of transaction.events) {
        if (source.kind !== 'print') continue;
        const notification = readTokenNotification(source.value);
        if (!notification) continue;
        const { contract, tokenClass } = notification;
        const valid = mayNotify(notification, senderOf(transaction), source.contract);
        rows.add(tokenNotificationsTable, [
          height,
          index,
          names.principal(contract),
          transaction.txPosition,
          tokenClasses[tokenClass],
          valid,
        ]);
      }
    }
  },
};

const senderOf = ({ receipt }: ResolvedTransaction): string =>
  receipt.transaction ? originOf(receipt.transaction) : (receipt.burnOperation?.sender ?? '');
