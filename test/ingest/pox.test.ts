import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { principal, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { expect, test } from 'vitest';
import { findStxBalance } from '../../src/read/principals/stx-balances-queries.ts';
import { testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import {
  alice,
  bob,
  boot,
  carol,
  cycles,
  type PoxBlock,
  poxBlock,
  poxPrint,
  rewardAddress,
  signerKey,
  stakingPrint,
} from '../support/pox-chain.ts';
import { foldAll } from '../support/service.ts';

const call = (version: number, value: ClarityValue) => ({ contract: `${boot}.pox-${version}`, value });

test('a stacker below the threshold is unlocked at once', async t => {
  const db = await testDatabase(t);
  const contract = `${boot}.pox-2`;
  const locked = poxBlock(undefined, { events: [{ lock: alice, amount: 500, unlock: 900, contract }] });
  const lifted = poxBlock(locked, {
    events: [call(2, poxPrint('handle-unlock', alice, {}, { locked: 500, unlock: 900 }))],
  });
  await foldAll(db, [locked, lifted]);
  const lockAt = async (height: number) =>
    (await findStxBalance(db.sql, principalToBytes(alice), { height }))?.lock_amount;
  expect(await lockAt(1)).toBe('500');
  expect(await lockAt(2)).toBe('0');
});

test('only pox-2 and pox-3 let go of stackers early', async t => {
  const db = await testDatabase(t);
  await foldAll(db, [poxBlock(undefined, { events: [call(4, poxPrint('handle-unlock', alice, {}, { locked: 5 }))] })]);
  expect(await db.sql`select 1 from stx_locks`).toHaveLength(0);
});

test('a principal that appears only inside a print is interned', async t => {
  const db = await testDatabase(t);
  const delegated = poxPrint('delegate-stx', alice, { 'amount-ustx': uint(5), 'delegate-to': principal(bob) });
  const staked = stakingPrint('stake', { staker: principal(carol), signer: principal(`${bob}.manager`) });
  await foldAll(db, [poxBlock(undefined, { events: [call(4, delegated), call(5, staked)] })]);
  const names = await db.sql<{ name: Buffer }[]>`select name from principals`;
  for (const name of [alice, bob, carol, `${bob}.manager`]) {
    expect(names.some(row => row.name.equals(Buffer.from(principalToBytes(name))))).toBe(true);
  }
});

test('a notice about tokens is stored, and marked if it is not from the contract', async t => {
  const db = await testDatabase(t);
  const notice = tuple({
    notification: stringAscii('token-metadata-update'),
    payload: tuple({ 'token-class': stringAscii('ft'), 'contract-id': principal(`${alice}.coin`) }),
  });
  const events = [
    { contract: `${alice}.coin`, value: notice },
    { contract: `${bob}.other`, value: notice },
  ];
  await foldAll(db, [poxBlock(undefined, { events })]);
  const rows = await db.sql<{ valid: boolean }[]>`select valid from token_notifications order by place`;
  expect(rows.map(row => row.valid)).toEqual([true, false]);
});

/** A block with a row for every table that PoX prints and signer sets fill. */
function busyBlock(parent: PoxBlock | undefined, branch: string, amount: number): PoxBlock {
  const staker = principal(branch === 'a' ? alice : carol);
  const signer = principal(`${bob}.manager`);
  const bond = { 'bond-index': uint(1) };
  const position = {
    staker,
    signer,
    'amount-ustx': uint(amount),
    'unlock-cycle': uint(20),
    'unlock-burn-height': uint(900),
  };
  const key = { 'signer-key': { type: 'buffer', bytes: signerKey(3) } as const };
  return poxBlock(
    parent,
    {
      cycle: { number: 12, signers: [{ key: signerKey(3), stacked: amount, weight: 1 }] },
      events: [
        call(
          4,
          poxPrint('stack-stx', alice, {
            'lock-amount': uint(amount),
            'pox-addr': rewardAddress(1),
            ...cycles(12, 13),
          }),
        ),
        call(3, poxPrint('handle-unlock', bob, {}, { locked: amount, unlock: 900 })),
        call(5, stakingPrint('setup-bond', { ...bond, 'target-rate': uint(amount) })),
        call(5, stakingPrint('add-to-allowlist', { ...bond, staker, 'max-sats': uint(amount) })),
        call(5, stakingPrint('register-for-bond', { ...position, ...bond, 'sats-total': uint(amount) })),
        call(5, stakingPrint('stake', position)),
        call(5, stakingPrint('register-signer', { signer, ...key })),
        call(5, stakingPrint('grant-signer-key', { 'signer-manager': signer, 'auth-id': uint(amount), ...key })),
        call(
          5,
          stakingPrint('bond-distribution', { ...bond, 'bond-rewards': uint(amount), 'bond-staked-sats': uint(9) }),
        ),
        call(5, stakingPrint('claim-staker-rewards-for-signer', { staker, ...bond, 'rewards-claimed': uint(amount) })),
      ],
    },
    branch,
  );
}

test('after a fork the tables hold the winning branch alone', async t => {
  const [live, fresh] = await Promise.all([testDatabase(t), testDatabase(t)]);
  const root = busyBlock(undefined, 'a', 1);
  const lost = [busyBlock(root, 'a', 2)];
  const won = [busyBlock(root, 'b', 3)];
  won.push(busyBlock(won[0], 'b', 4));
  await foldAll(live, [root, ...lost, ...won]);
  const position = await foldAll(fresh, [root, ...won]);
  expect(position).toMatchObject({ height: 3, halt_reason: null });
  expect(differences(await dump(live.sql), await dump(fresh.sql))).toEqual([]);
  const [{ count }] = await live.sql<[{ count: number }]>`select count(*)::int as count from staking_positions`;
  expect(count).toBe(6);
});
