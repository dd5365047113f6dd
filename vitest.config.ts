import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import TierSequencer from './test/support/sequencer.ts';
import { listTiers } from './test/support/tiers.ts';

const tiers = listTiers();
const packages = fileURLToPath(new URL('./packages/', import.meta.url));
// The packages of this project are tested as sources. A condition would do it too, but Node.js itself, which has it from vitest,
// cannot load sources: a test that imports the built entry needs the built packages.
const alias = [
  { find: /^@cairn-stacks\/(\w+)$/, replacement: `${packages}$1/src/index.ts` },
  { find: /^@cairn-stacks\/(\w+)\/(?!package\.json$)(.+)$/, replacement: `${packages}$1/src/$2.ts` },
  { find: '#hash', replacement: `${packages}codec/src/hash.ts` },
];
const globalSetup = ['test/support/global-setup.ts'];
const setupFiles = ['test/support/fixed-seed.ts'];
/** How many histories and byte strings generated tests try (`test/support/seed.ts`, `test/codec/fuzz.test.ts`). */
const generated = (histories: number, strings: number) => ({
  HISTORIES: process.env.HISTORIES ?? String(histories),
  CODEC_FUZZ: process.env.CODEC_FUZZ ?? String(strings),
});

export default defineConfig({
  resolve: { alias },
  test: {
    // Only to end what hangs: a busy machine takes many times longer than a quiet one. Waits end before (`until`).
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 240_000, interval: 20 } },
    // What differed is in the message, also where only the message is printed.
    chaiConfig: { truncateThreshold: 600 },
    sequence: { sequencer: TierSequencer },
    pool: 'forks',
    // One more than the processors of CI: tests wait for processes and for time limits.
    maxWorkers: 3,
    // The entry of the package is tested as built: its threads need compiled files.
    server: { deps: { external: [/\/dist\//] } },
    // `npm test -- --coverage`; the program as built, in processes of its own, is not counted.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'packages/*/src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: '.run/coverage',
    },
    projects: [
      {
        extends: true,
        test: { name: 'fast', include: tiers.fast, setupFiles, env: generated(10, 2_000), isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: tiers.database,
          globalSetup,
          setupFiles,
          env: generated(10, 2_000),
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: tiers.long,
          globalSetup,
          env: generated(200, 20_000),
          runner: './test/support/time-box.ts',
        },
      },
    ],
  },
});
