import { Pool } from 'undici';
import { expect, test } from 'vitest';
import type { OpenApi } from '../../../src/api/docs/openapi.ts';
import { readKnownValues } from '../../support/contract/devnet-values.ts';
import { fuzz } from '../../support/contract/fuzz.ts';
import { devnetForFile } from '../../support/sdk.ts';
import { propertySeed as seed } from '../../support/seed.ts';

/** `fuzz.test.ts` sends hundreds in `npm test`. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 2000);

const devnet = devnetForFile({ blockSeconds: 1, blocks: 30 });

test(`thousands of generated requests cause no server error and no response off its schema (seed ${seed})`, async t => {
  const document = await devnet.get<OpenApi>('/openapi.json');
  const known = await readKnownValues(devnet.get);
  const pool = new Pool(devnet.url, { connections: 8 });
  t.onTestFinished(() => pool.close());
  const { problems, statuses } = await fuzz(pool, document, known, { requests: REQUESTS, seed });
  expect(problems.join('\n')).toBe('');
  expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 3);
});
