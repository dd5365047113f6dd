import { defineConfig } from 'vitest/config';
import { listTiers } from './test/support/tiers.ts';

const tiers = listTiers();
const globalSetup = ['test/support/global-setup.ts'];
/** How many histories generated tests play (`test/support/seed.ts`). */
const histories = (count: number) => ({ HISTORIES: process.env.HISTORIES ?? String(count) });

export default defineConfig({
  test: {
    // Only to end what hangs: a busy machine takes many times longer than a quiet one.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
    // The entry of the package is tested as built: its threads need compiled files.
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      { extends: true, test: { name: 'fast', include: tiers.fast, isolate: false } },
      { extends: true, test: { name: 'database', include: tiers.database, globalSetup, env: histories(10) } },
      {
        extends: true,
        test: {
          name: 'long',
          include: tiers.long,
          globalSetup,
          env: histories(200),
          runner: './test/support/time-box.ts',
        },
      },
    ],
  },
});
