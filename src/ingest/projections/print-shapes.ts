import type { HistoryTable } from '../rows/history-table.ts';
import type { Projection } from '../rows/projection.ts';
import { integerKey, type RunningTotal } from '../rows/running-total.ts';
import { loaded } from '../rows/running-totals.ts';

/** Shapes of a contract that are counted; prints of further ones only count as prints. */
const MAX_SHAPES = 100;

const printShapesTable: HistoryTable = {
  name: 'print_shapes',
  columns: {
    shape: 'int8',
    contract: 'principal',
    height: 'int4',
    event_index: 'int4',
    number: 'int4',
    place: 'int2',
    topic: 'bytea',
    fields: 'text',
  },
  key: ['contract'],
  order: ['height', 'number'],
};

const printShapeTotalsTable: HistoryTable = {
  name: 'print_shape_totals',
  columns: { shape: 'int8', contract: 'principal', height: 'int4', total: 'int4' },
  key: ['contract', 'shape'],
  order: ['height'],
};

/** How many shapes each contract has printed. */
const shapeNumbers: RunningTotal<number, { number: number }> = {
  history: printShapesTable,
  values: ['number'],
  ...integerKey('contract'),
  initial: () => ({ number: 0 }),
  read: ({ number }) => ({ number }),
};

const shapeKey = (contract: number, shape: bigint) => `${contract} ${shape}`;

/** How often each contract has printed a shape. */
const shapeTotals: RunningTotal<string, { total: number }> = {
  history: printShapeTotalsTable,
  values: ['total'],
  toColumns: key => {
    const [contract, shape] = key.split(' ') as [string, string];
    return [Number(contract), BigInt(shape)];
  },
  toKey: ({ contract, shape }) => shapeKey(contract, shape),
  initial: () => ({ total: 0 }),
  read: ({ total }) => ({ total }),
};

/** Which fields and types the prints of a contract have, and how often. */
export const printShapes: Projection = {
  tables: [printShapesTable, printShapeTotalsTable],
  totals: [shapeNumbers, shapeTotals],

  wants({ transactions }, want) {
    for (const { events } of transactions) {
      for (const { shape, asset: contract } of events) {
        if (!shape) continue;
        want(shapeNumbers, contract, 0);
        want(shapeTotals, shapeKey(contract, shape.id), 0);
      }
    }
  },

  apply({ height, transactions }, totals, _chain, rows) {
    const numbers = totals.of(shapeNumbers);
    const counts = totals.of(shapeTotals);
    const printed = new Map<string, { contract: number; shape: bigint }>();
    for (const { txPosition, events } of transactions) {
      for (const { shape, asset: contract, index } of events) {
        if (!shape) continue;
        const key = shapeKey(contract, shape.id);
        const count = loaded(counts, key);
        if (count.total === 0) {
          const last = loaded(numbers, contract);
          if (last.number === MAX_SHAPES) continue;
          last.number++;
          const { id, topic, fields } = shape;
          rows.add(printShapesTable, [
            ...[id, contract, height, index, last.number, txPosition],
            ...[topic ?? null, fields],
          ]);
        }
        count.total++;
        if (!printed.has(key)) printed.set(key, { contract, shape: shape.id });
      }
    }
    for (const [key, { contract, shape }] of printed) {
      rows.add(printShapeTotalsTable, [shape, contract, height, loaded(counts, key).total]);
    }
  },
};
