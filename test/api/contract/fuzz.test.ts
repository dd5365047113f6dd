import { Pool } from 'undici';
import { beforeAll, expect, test } from 'vitest';
import type { OpenApi } from '../../../src/api/docs/openapi.ts';
import { type KnownValues, readKnownValues } from '../../support/contract/devnet-values.ts';
import { fuzz } from '../../support/contract/fuzz.ts';
import { devnetForFile } from '../../support/sdk.ts';
import { propertySeed as seed } from '../../support/seed.ts';

const devnet = devnetForFile({ blockSeconds: 1, blocks: 30 });

let document: OpenApi;
let known: KnownValues;
let pool: Pool;
beforeAll(async () => {
  document = await devnet.get<OpenApi>('/openapi.json');
  known = await readKnownValues(devnet.get);
  pool = new Pool(devnet.url, { connections: 50 });
  return () => pool.close();
});

const GENERATED = 200;

/** `fuzz.long.test.ts` sends thousands. */
test(`${GENERATED} generated requests cause no server error and no response off its schema (seed ${seed})`, async () => {
  const { problems, statuses } = await fuzz(pool, document, known, { requests: GENERATED, seed });
  expect(problems.join('\n')).toBe('');
  expect(statuses.get(200)).toBeGreaterThan(GENERATED / 3);
});
