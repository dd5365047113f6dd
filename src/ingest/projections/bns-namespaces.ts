import { type Namespace, type NamespaceChange, namespaceChanges } from '../../chain/names/namespace.ts';
import { columnOf } from '../../chain/print-fields.ts';
import type { Row, Table } from '../../db/table.ts';
import type { BatchNames } from '../rows/batch-names.ts';
import type { Projection } from '../rows/projection.ts';

const namespaceHistoryTable: Table = {
  name: 'namespace_history',
  columns: {
    height: 'int4',
    event_index: 'int4',
    importer: 'principal',
    manager: 'principal',
    revealed_at: 'int4',
    launched_at: 'int4',
    lifetime: 'int4',
    version: 'int2',
    place: 'int2',
    change: 'int2',
    manager_transfers: 'bool',
    manager_frozen: 'bool',
    price_updatable: 'bool',
    base: 'numeric',
    coefficient: 'numeric',
    nonalpha_discount: 'numeric',
    no_vowel_discount: 'numeric',
    buckets: 'int8[]',
    namespace: 'text',
  },
};

/** A new price function of version 1: it comes by a call that prints nothing, and changes nothing else. */
const namespacePricesTable: Table = {
  name: 'namespace_prices',
  columns: {
    height: 'int4',
    event_index: 'int4',
    place: 'int2',
    base: 'numeric',
    coefficient: 'numeric',
    nonalpha_discount: 'numeric',
    no_vowel_discount: 'numeric',
    buckets: 'int8[]',
    namespace: 'text',
  },
};

/** Namespaces of both versions, each print with all its properties. */
export const bnsNamespaces: Projection = {
  tables: [namespaceHistoryTable, namespacePricesTable],

  apply({ height, transactions, names }, _totals, _chain, rows) {
    for (const transaction of transactions) {
      for (const event of transaction.naming) {
        const { index } = event;
        const { txPosition } = transaction;
        if (event.kind === 'namespace') {
          const { change, properties } = event.print;
          rows.add(namespaceHistoryTable, [
            height,
            index,
            ...partsOf(properties, names),
            event.version,
            txPosition,
            namespaceChanges[change satisfies NamespaceChange],
            properties.managerTransfers,
            properties.managerFrozen,
            properties.priceUpdatable,
            ...priceOf(properties.price),
            properties.namespace,
          ]);
        } else if (event.kind === 'price') {
          rows.add(namespacePricesTable, [height, index, txPosition, ...priceOf(event.price), event.namespace]);
        }
      }
    }
  },
};

function partsOf(properties: Namespace, names: BatchNames): Row {
  const key = (name: string | undefined) => (name === undefined ? 0 : names.principal(name));
  return [
    key(properties.importer),
    key(properties.manager),
    columnOf(properties.revealedAt),
    columnOf(properties.launchedAt ?? 0n),
    columnOf(properties.lifetime),
  ];
}

const largest = (1n << 63n) - 1n;

/** Exponents beyond the column make a price that no 128 bits hold, as does the largest one of the column. */
const priceOf = ({ base, coefficient, nonalphaDiscount, noVowelDiscount, buckets }: Namespace['price']): Row => [
  base,
  coefficient,
  nonalphaDiscount,
  noVowelDiscount,
  buckets.map(bucket => (BigInt.asIntN(64, bucket) === bucket ? bucket : largest)),
];
