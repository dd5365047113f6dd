import { isDeepStrictEqual } from 'node:util';
import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pool } from '../../src/db/client.ts';
import { startWithoutTip } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { emptyTables } from '../support/dump.ts';
import { historiesOf, historyTimeout, playHistories, propertySeed as seed } from '../support/seed.ts';
import { append, folded, positionOf, startFold } from '../support/service.ts';
import { plans, playPlan } from './history.ts';

/** One short history may have more misses than hits. */
const histories = Math.max(5, historiesOf(1 / 40));
/** Messages that arrive between two comparisons of the lists, and comparisons between two restarts of the fold. */
const step = 7;
const restart = 5;

test(`through forks and restarts, lists of cached entries equal lists rendered without a cache (seed ${seed})`, {
  timeout: historyTimeout,
}, async t => {
  const database = await testDatabase(t);
  // One caches entries through all histories, the other has no space for any.
  const caching = await startWithoutTip(t, database, 10_000_000);
  const uncached = await startWithoutTip(t, database, 1024);
  // After the last event the fold may still have the stream on the tip to write.
  const whileStill = async <T>(read: () => Promise<T>): Promise<T> => {
    for (;;) {
      const before = await positionOf(database.sql);
      const responses = await read();
      if (isDeepStrictEqual(await positionOf(database.sql), before)) return responses;
    }
  };
  const compare = async () => {
    for (const url of await urlsOn(database.sql)) {
      const [cached, fresh] = await whileStill(() =>
        Promise.all([caching, uncached].map(({ app }) => app.inject(url))),
      );
      const expected = { url, status: fresh!.statusCode, body: fresh!.body };
      expect({ url, status: cached!.statusCode, body: cached!.body }).toEqual(expected);
    }
  };
  const property = fc.asyncProperty(plans, async plan => {
    await emptyTables(database.sql);
    const messages = playPlan(plan).pieces.flatMap(piece => piece.messages);
    for (let i = 0; i < messages.length; i += step * restart) {
      const fold = startFold(database, { batchBlocks: plan.batchBlocks });
      try {
        for (let j = i; j < Math.min(i + step * restart, messages.length); j += step) {
          await folded(database.sql, await append(database, messages.slice(j, j + step)));
          await compare();
        }
      } finally {
        await fold.stop();
      }
    }
  });
  await playHistories('cached lists', property, histories);
  expect(caching.caches.items.hits).toBeGreaterThan(caching.caches.items.misses);
  expect(uncached.caches.items.hits).toBe(0);
});

/** Every list of cached entries, for the accounts and contracts with the most rows. */
async function urlsOn(sql: Pool): Promise<string[]> {
  const accounts = await sql<{ name: Buffer }[]>`
    select p.name
    from principal_transactions h
    join principals p on p.id = h.principal
    group by p.id
    order by count(*) desc
    limit 2
  `;
  const contracts = await sql<{ name: Buffer }[]>`
    select p.name from contract_log_totals c join principals p on p.id = c.contract group by p.id limit 1
  `;
  const nfts = await sql<{ contract: Buffer; name: string; value: Buffer }[]>`
    select p.name as contract, a.name, h.value
    from nft_history h
    join assets a on a.id = h.asset
    join principals p on p.id = a.contract
    group by p.name, a.name, h.value
    order by count(*) desc
    limit 1
  `;
  const [tip] = await sql<{ height: number }[]>`select height from fold_position`;
  const height = Math.max(1, tip!.height);
  return [
    '/extended/v1/tx?limit=50&unanchored=true',
    '/extended/v1/block?limit=30',
    '/extended/v1/tokens/ft/stx/holders?limit=200',
    '/extended/v2/blocks?limit=30',
    '/extended/v3/transactions?limit=50',
    `/extended/v1/tx/block_height/${height}`,
    `/extended/v2/blocks/${height}/transactions`,
    `/extended/v3/blocks/${height}/transactions`,
    ...accounts.flatMap(({ name }) => {
      const account = principalFromBytes(name);
      return [
        `/extended/v1/address/${account}/transactions?limit=50&unanchored=true`,
        `/extended/v1/address/${account}/transactions_with_transfers?limit=50&unanchored=true`,
        `/extended/v1/address/${account}/assets?limit=50&unanchored=true`,
        `/extended/v1/address/${account}/stx_inbound?limit=50&unanchored=true`,
        `/extended/v2/addresses/${account}/transactions?limit=50`,
        `/extended/v3/principals/${account}/transactions?limit=50`,
      ];
    }),
    ...nfts.flatMap(({ contract, name, value }) => {
      const asset = encodeURIComponent(`${principalFromBytes(contract)}::${name}`);
      return [
        `/extended/v1/tokens/nft/mints?asset_identifier=${asset}&unanchored=true`,
        `/extended/v1/tokens/nft/history?asset_identifier=${asset}&value=0x${value.toString('hex')}&unanchored=true`,
      ];
    }),
    ...contracts.map(({ name }) => `/extended/v2/smart-contracts/${principalFromBytes(name)}/logs?limit=50`),
  ];
}
