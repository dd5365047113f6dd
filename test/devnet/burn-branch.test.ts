import { BurnBranch } from '@cairn-stacks/devnet/chain/burn-branch';
import { type BurnBlock, BurnChain } from '@cairn-stacks/devnet/chain/burn-chain';
import { releases } from '@cairn-stacks/devnet/chain/release';
import { Random } from '@cairn-stacks/devnet/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** Burn blocks of a Bitcoin that goes back that far before each of them; the last one is the tip. */
function mine(forks: readonly number[]): BurnBlock[] {
  const chain = new BurnChain(new Random(1), releases['4.0'], { height: 100, time: 1_750_000_000 });
  const start = chain.tip;
  return [
    start,
    ...forks.map(depth => {
      chain.goBack(depth);
      return chain.mine();
    }),
  ];
}

const hashes = (blocks: readonly BurnBlock[]) => blocks.map(({ hash }) => hash);
const ancestors = (tip: BurnBlock): BurnBlock[] => (tip.parent ? [...ancestors(tip.parent), tip] : [tip]);

test('burn blocks may come in any order and more than once: with the next one, the branch is that of Bitcoin', () => {
  const histories = fc
    .array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })), {
      minLength: 1,
      maxLength: 12,
    })
    .chain(forks => {
      const blocks = mine(forks);
      const doubled = [...blocks.slice(0, -1), ...blocks.slice(0, -1)];
      return fc.record({
        blocks: fc.constant(blocks),
        arrivals: fc.shuffledSubarray(doubled, { minLength: doubled.length }),
      });
    });
  fc.assert(
    fc.property(histories, ({ blocks, arrivals }) => {
      const branch = new BurnBranch();
      for (const block of arrivals) branch.announce(block);
      const tip = blocks.at(-1)!;
      branch.announce(tip);
      expect(hashes(branch.blocks)).toEqual(hashes(ancestors(tip)));
    }),
    { numRuns: 2_000 },
  );
});

test('the blocks of a new branch may come in any order after the branch that they replace', () => {
  const histories = fc
    .record({ shared: fc.nat(4), left: fc.integer({ min: 1, max: 6 }), taken: fc.integer({ min: 1, max: 7 }) })
    .chain(({ shared, left, taken }) => {
      // All are mined in one row; the first one of the new branch goes back behind those that it replaces.
      const steps = [...Array<number>(shared + left).fill(0), left, ...Array<number>(taken - 1).fill(0)];
      const blocks = mine(steps);
      const branch = blocks.slice(-taken);
      return fc.record({
        blocks: fc.constant(blocks),
        arrivals: fc.shuffledSubarray(branch, { minLength: taken }).map(late => [...blocks.slice(0, -taken), ...late]),
      });
    });
  fc.assert(
    fc.property(histories, ({ blocks, arrivals }) => {
      const branch = new BurnBranch();
      for (const block of arrivals) branch.announce(block);
      expect(hashes(branch.blocks)).toEqual(hashes(ancestors(blocks.at(-1)!)));
    }),
    { numRuns: 1_000 },
  );
});
