import { none, principal, some, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { cycleLength } from '@cairn-stacks/devnet/contracts/pox/cycle';
import type { Residents } from '@cairn-stacks/devnet/residents/residents';
import { playRound } from '@cairn-stacks/devnet/residents/round';
import { stakers } from '@cairn-stacks/devnet/residents/staking-actions';
import { expect, test } from 'vitest';
import { walk } from '../support/cursor-walk.ts';
import { testDevnet } from '../support/devnet.ts';
import { serveChain } from '../support/served-chain.ts';

const pox = 'ST000000000000000000002AMW42H.pox-5';
const addresses = Object.values(stakers).map(account => accountAt(account, false).address);

type Reward = Record<'cycle', number> &
  Record<'shares' | 'accrued' | 'claimed' | 'claimable' | 'awaiting_signer' | 'signer_manager', string> & {
    bond_index: number | null;
    final: boolean;
  };

/** The functions of pox-5 that only read, at the tip. */
function contract(residents: Residents) {
  const ask = (name: string, args: ClarityValue[]) => {
    const value = residents.readOnly(pox, name, args);
    if (value?.type !== 'uint') throw new Error(`${name} returned no number`);
    return value.value;
  };
  const pool = ({ cycle, bond_index }: Reward) => [uint(cycle), bond_index === null ? none : some(uint(bond_index))];
  return {
    sharesOf: (staker: string, row: Reward) =>
      ask('get-staker-shares-staked-for-cycle', [principal(staker), ...pool(row), principal(row.signer_manager)]),
    claimable: (staker: string, row: Reward) =>
      ask('get-earned-staker-rewards', [principal(row.signer_manager), ...pool(row), principal(staker)]),
    ofSigner: (row: Reward) => ask('get-earned', [principal(row.signer_manager), ...pool(row)]),
    managerIn(staker: string, cycle: number): string | undefined {
      const found = residents.readOnly(pox, 'get-signer-cycle-membership', [principal(staker), uint(cycle)]);
      if (found?.type !== 'some' || found.value.type !== 'tuple') return undefined;
      const signer = found.value.entries.find(entry => entry.name === 'signer')?.value;
      return signer?.type === 'principal' ? `${signer.address}.${signer.contract}` : undefined;
    },
  };
}

/** Whether the newest block has a print of pox-5 with this topic. */
function hasPrinted(posted: readonly Message[], topic: string): boolean {
  const block = posted.findLast(({ path }) => path === '/new_block')?.body as {
    events: { contract_event?: { contract_identifier: string; raw_value: string } }[];
  };
  const text = Buffer.from(topic).toString('hex');
  return block.events.some(
    ({ contract_event: event }) => event?.contract_identifier === pox && event.raw_value.includes(text),
  );
}

// Rewards wait for the signer after a calculation, and for the staker after the claim of the signer.
const moments = { 'calculate-rewards': 'awaiting', 'claim-rewards': 'claimable' } as const;

test('rewards and stakers are those of the contract, to the satoshi', { timeout: 600_000 }, async t => {
  const { node, residents, posted } = testDevnet();
  let height = 0;
  const mineUntil = (isReached: () => boolean) => {
    do {
      playRound(residents);
      node.mine({ tenure: height++ % 4 === 3 ? 'same' : 'new' });
    } while (!isReached());
  };
  const seen = { claimed: 0, claimable: 0, awaiting: 0, bonds: 0, final: 0, partial: 0, past: 0 };
  for (const [topic, kind] of Object.entries(moments)) {
    mineUntil(() => height >= 90 && hasPrinted(posted, topic));
    const before = seen[kind];
    await compare(t, residents, posted, seen);
    expect([topic, seen[kind] > before]).toEqual([topic, true]);
  }
  mineUntil(() => height >= 170);
  await compare(t, residents, posted, seen);
  for (const [kind, count] of Object.entries(seen)) expect([kind, count > 0]).toEqual([kind, true]);
});

type Seen = Record<'claimed' | 'claimable' | 'awaiting' | 'bonds' | 'final' | 'partial' | 'past', number>;

/** Compares all that is served of stakers and their rewards with the contract at the tip. */
async function compare(
  t: Parameters<typeof serveChain>[0],
  residents: Residents,
  posted: readonly Message[],
  seen: Seen,
): Promise<void> {
  const { node } = residents;
  const oracle = contract(residents);
  const api = await serveChain(t, posted);
  const present = Math.floor(node.tip.burn.height / cycleLength);
  const unclaimed = new Map<string, bigint>();
  for (const staker of addresses) {
    const url = `/extended/v3/principals/${staker}/staking/rewards`;
    const rows = await walk<Reward>(api.get, url, 3);
    const managers = rows.map(row => [row.cycle, row.signer_manager]);
    const expected = [];
    for (let cycle = present; cycle >= 0; cycle--) {
      const manager = oracle.managerIn(staker, cycle);
      if (manager) expected.push([cycle, manager]);
    }
    expect(managers).toEqual(expected);
    for (const row of rows) {
      const numbers = { cycle: row.cycle, shares: BigInt(row.shares), claimable: BigInt(row.claimable) };
      expect(numbers).toEqual({
        cycle: row.cycle,
        shares: oracle.sharesOf(staker, row),
        claimable: oracle.claimable(staker, row),
      });
      const [accrued, claimed, awaiting] = [row.accrued, row.claimed, row.awaiting_signer].map(BigInt) as [
        bigint,
        bigint,
        bigint,
      ];
      expect(accrued).toBe(claimed + numbers.claimable + awaiting);
      if (row.cycle >= present) expect(row.final).toBe(false);
      if (oracle.ofSigner(row) === 0n) expect(awaiting).toBeLessThan(3n);
      if (claimed > 0n) seen.claimed++;
      if (numbers.claimable > 0n) seen.claimable++;
      if (awaiting > 2n) seen.awaiting++;
      if (row.bond_index !== null) seen.bonds++;
      if (row.final) seen.final++;
      else seen.partial++;
      const key = `${staker} ${row.signer_manager}`;
      unclaimed.set(key, (unclaimed.get(key) ?? 0n) + numbers.claimable);
    }
    const open = await api.get(`${url}?unclaimed=true&limit=100`);
    for (const row of open.results as Reward[])
      expect(BigInt(row.claimable) + BigInt(row.awaiting_signer)).toBeGreaterThan(0n);
  }
  for (const name of ['signer-manager', 'signer-manager-2']) {
    const manager = residents.contract(name);
    const url = `/extended/v3/staking/signers/${manager}/stakers`;
    for (let cycle = 0; cycle <= present + 1; cycle++) {
      const { results, total } = await api.get(`${url}?cycle=${cycle}`);
      const expected = addresses.filter(staker => oracle.managerIn(staker, cycle) === manager).sort();
      expect([cycle, results.map((row: { staker: string }) => row.staker), total]).toEqual([
        cycle,
        expected,
        expected.length,
      ]);
    }
    for (const row of await walk<Record<string, unknown> & { staker: string; unclaimed: { btc: string } }>(
      api.get,
      `${url}?include=past`,
      2,
    )) {
      expect(BigInt(row.unclaimed.btc)).toBeGreaterThanOrEqual(unclaimed.get(`${row.staker} ${manager}`) ?? 0n);
      if (!row.active) seen.past++;
    }
  }
}
