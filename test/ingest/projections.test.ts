import fc from 'fast-check';
import { expect, test } from 'vitest';
import { projections } from '../../src/ingest/projections/all.ts';
import { holding, holdingKey } from '../../src/ingest/rows/running-total.ts';

const owned = new Set(projections.flatMap(({ tables }) => tables.map(table => table.name)));

test('every history table has the height that a rollback deletes by', () => {
  const tables = projections.flatMap(projection => projection.tables);
  expect(tables.filter(table => !('height' in table.columns)).map(table => table.name)).toEqual([]);
});

test('running totals are read from history tables that a projection owns, by columns that exist', () => {
  for (const { history, values } of projections.flatMap(projection => projection.totals ?? [])) {
    expect(owned).toContain(history.name);
    expect(history.order).toContain('height');
    const columns = Object.keys(history.columns);
    expect(columns).toEqual(expect.arrayContaining([...history.key, ...history.order, ...values]));
  }
});

test('a projection with running totals says which ones a block changes', () => {
  for (const { totals = [], wants } of projections) expect(wants !== undefined).toBe(totals.length > 0);
});

test('every table of current values can be restored and derived', () => {
  const currents = projections.flatMap(projection => projection.currents ?? []);
  expect(new Set(currents.map(({ table }) => table.name))).toEqual(
    new Set(['holders', 'nft_current', 'nft_holders', 'names', 'sbtc_withdrawals']),
  );
  for (const { table, restore, derive } of currents) {
    expect([...restore, ...derive].every(text => text.includes(table.name))).toBe(true);
    expect(owned).not.toContain(table.name);
  }
});

test('the key of a holding has its principal and its asset back', () => {
  const principal = fc.integer({ min: 1, max: 2 ** 31 - 1 });
  const asset = fc.integer({ min: -1, max: 4_000_000 });
  fc.assert(
    fc.property(principal, asset, (p, a) => {
      expect(holdingKey.toColumns(holding(p, a))).toEqual([p, a]);
    }),
    { seed: 1 },
  );
});
