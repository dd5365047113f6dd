import { principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pool } from '../../src/db/client.ts';
import { listStakersOfSigner } from '../../src/read/staking/signer-stakers-queries.ts';
import { readStakerHistories } from '../../src/read/staking/staker-history-view.ts';
import { findStakerKey } from '../../src/read/staking/staker-terms-queries.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { emptyTables } from '../support/dump.ts';
import { historiesOf, historyTimeout, playHistories, propertySeed as seed } from '../support/seed.ts';
import { append, foldAll, startFold } from '../support/service.ts';
import { cycleBlocks, cycleOf, type StakingBooks } from '../support/staking-books.ts';
import { booksOf, stakingStory, storySigners, storyStakers } from '../support/staking-story.ts';
import { plans, playPlan } from './history.ts';

/**
 * Histories with forks of both chains, in which accounts stake, enter bonds, leave early, change signers and claim rewards.
 * Rewards and stakers that the tables give are compared with books over the raw prints of the chain that is canonical in
 * the end, which are kept cycle by cycle.
 */
const histories = Math.max(8, historiesOf(1 / 10));

let live: TestDatabase;
beforeAll(async () => {
  live = await testDatabase();
});
afterAll(() => live.drop());

const geometry = { first: 0, length: cycleBlocks, prepare: 1 };
/** The last cycle that a step of such a short history decides on. */
const horizon = 100;

async function rewardsOf(sql: Pool, burnTip: number) {
  const keys = new Map<string, number>();
  for (const staker of storyStakers) {
    const key = await findStakerKey(sql, principalToBytes(staker));
    if (key !== undefined) keys.set(staker, key);
  }
  const histories = await readStakerHistories(sql, [...keys.values()], { geometry, burnTip });
  return [...keys].flatMap(([staker, key]) =>
    histories.get(key)!.rewards.map(({ signerName, awaitingSigner, due, isFinal, ...row }) => {
      expect(awaitingSigner).toBe(row.accrued - row.claimed - row.claimable);
      expect(due).toBeGreaterThanOrEqual(row.claimable);
      const { cycle, bond, shares, accrued, claimed, claimable } = row;
      const signer = principalFromBytes(signerName);
      return { staker, cycle, signer, bond, shares, accrued, claimed, claimable, isFinal };
    }),
  );
}

function expectedRewards(books: StakingBooks, burnTip: number) {
  return storyStakers.flatMap(staker =>
    Array.from({ length: cycleOf(burnTip) + 1 }, (_, cycle) => cycle)
      .filter(cycle => books.held.has(`${cycle} ${staker}`))
      .map(cycle => ({ staker, cycle, ...books.rewards(cycle, staker), isFinal: books.isFinal(cycle) })),
  );
}

test(`rewards of stakers are those of the raw prints, over forks of both chains (seed ${seed})`, {
  timeout: historyTimeout,
}, async () => {
  const seen = { accrued: 0, claimed: 0, claimable: 0, bonds: 0, ineligible: 0, final: 0, forks: 0 };
  const property = fc.asyncProperty(plans, async plan => {
    const { pieces, canonical, replay } = playPlan({ ...plan, release: '4.0', genesis: 'first' });
    await emptyTables(live.sql);
    const all = [...pieces.flatMap(({ messages }) => messages), ...canonical, ...replay];
    const story = stakingStory(all.filter(({ path }) => path === '/new_block'));
    for (const { messages, stop } of pieces) {
      const told = messages.map(story);
      if (stop === 'settled') await foldAll(live, told, { batchBlocks: plan.batchBlocks });
      else {
        await append(live, told);
        await startFold(live, { batchBlocks: plan.batchBlocks }).stop();
      }
    }
    expect((await foldAll(live, [])).halt_reason).toBeNull();

    const chain: Message[] = canonical.map(story);
    const books = booksOf(chain);
    const burnTip = Math.max(0, ...chain.map(({ body }) => (body as { burn_block_height: number }).burn_block_height));
    const rewards = await rewardsOf(live.sql, burnTip);
    expect(rewards).toEqual(expectedRewards(books, burnTip));

    for (const signer of storySigners) {
      const name = principalToBytes(signer);
      const totals = await live.sql<{ cycle: number; stakers: number; stx: string }[]>`
        select distinct on (s.cycle) s.cycle, s.stakers, s.stx
        from staking_signer_cycles s
        join principals p on p.id = s.signer
        where p.name = ${name}
        order by s.cycle, s.height desc
      `;
      for (let cycle = 0; cycle < horizon; cycle++) {
        const found = (await listStakersOfSigner(live.sql, name, cycle)).map(row => principalFromBytes(row.staker));
        const own = books.heldIn(cycle).filter(({ held }) => held.signer === signer);
        expect([cycle, found.sort()]).toEqual([cycle, own.map(({ staker }) => staker).sort()]);
        const total = totals.find(row => row.cycle === cycle);
        expect([cycle, total?.stakers ?? 0, BigInt(total?.stx ?? 0)]).toEqual([
          cycle,
          own.length,
          books.delegated(cycle, signer),
        ]);
      }
    }
    for (const row of rewards) {
      if (row.accrued > 0n) seen.accrued++;
      if (row.claimed > 0n) seen.claimed++;
      if (row.claimable > 0n) seen.claimable++;
      if (row.bond >= 0) seen.bonds++;
      if (row.bond < 0 && !books.isEligible(row.cycle, row.signer)) seen.ineligible++;
      if (row.isFinal) seen.final++;
    }
    seen.forks +=
      pieces.flatMap(({ messages }) => messages).filter(({ path }) => path === '/new_block').length - chain.length;
  });
  await playHistories('staking', property, histories);
  for (const [name, count] of Object.entries(seen)) expect([name, count > 0]).toEqual([name, true]);
});
