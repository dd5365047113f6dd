import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { expect, test } from 'vitest';
import { runCli } from '../../src/commands/cli.ts';
import { readMetadataStatus } from '../../src/metadata/metadata-status.ts';
import { requestContract, requestFailed } from '../../src/metadata/refresh.ts';
import { testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { callerOf, settled, startWorker } from '../support/metadata.ts';
import { foldAll } from '../support/service.ts';

test('an operator sees what is known and has tokens read again', async t => {
  const db = await testDatabase(t);
  const devnet = testDevnet();
  devnet.live(30);
  await foldAll(db, devnet.posted);
  let broken = true;
  const call = callerOf(devnet.node);
  const options = {
    call: (async (...args) => (broken ? { failed: 'Unchecked(x)' } : await call(...args))) as typeof call,
  };
  const worker = startWorker(t, db.sql, devnet.node, options);
  await settled(db.sql);
  const before = await readMetadataStatus(db.sql);
  expect(before).toMatchObject({ height: 30, tip: 30, jobs: [] });
  expect(before.contracts.map(row => row.class)).toEqual(['ft', 'nft', 'sft']);
  const tokens = before.contracts.reduce((sum, row) => sum + row.tokens, 0);
  expect(before.errors).toEqual([{ code: 'contract_call_failed', tokens }]);

  broken = false;
  const marbles = principalToBytes(devnet.residents.contract('marbles'));
  expect(await requestContract(db.sql, marbles, 1n)).toBe(1);
  await settled(db.sql);
  expect((await readMetadataStatus(db.sql)).errors[0]!.tokens).toBe(tokens - 1);
  expect(await requestFailed(db.sql)).toBe(tokens - 1);
  await settled(db.sql);
  expect((await readMetadataStatus(db.sql)).errors).not.toContainEqual({ code: 'contract_call_failed', tokens });
  expect(await requestContract(db.sql, principalToBytes(devnet.residents.contract('pool')))).toBeUndefined();
  await worker.stop();
});

test('the command explains itself and refuses what it does not understand', async t => {
  const { url } = await testDatabase(t);
  const out: string[] = [];
  const write = process.stdout.write;
  process.stdout.write = ((text: string) => out.push(text)) as never;
  t.onTestFinished(() => {
    process.stdout.write = write;
  });
  const run = (...args: string[]) => runCli(['metadata', ...args], { DATABASE_URL: url });
  expect(await run('status')).toBe(0);
  expect(await run('status', '--json')).toBe(0);
  expect(await run('retry')).toBe(0);
  process.stdout.write = write;
  expect(out.join('')).toMatch(
    /searched up to block 0 of -1\n\{"height":0.*\n0 tokens with an error will be read again\n/,
  );
  for (const args of [['refresh'], ['refresh', 'x'], ['other'], ['refresh', 'ST000000000000000000002AMW42H.pox', 'x']])
    expect(await run(...args)).toBe(2);
  expect(await run('refresh', 'ST000000000000000000002AMW42H.pox')).toBe(2);
});
