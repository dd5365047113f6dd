import { isPreparing } from '@cairn-stacks/devnet/contracts/pox/cycle';
import { expect, test } from 'vitest';
import { startApi } from '../support/api.ts';
import { testDevnet } from '../support/devnet.ts';
import { append, startFold, testNetwork, until } from '../support/service.ts';

const network = { ...testNetwork, name: 'devnet' };

/** A devnet with the API on its events; `follow` posts what is new and waits until readers see the node's tip and balances. */
async function start(t: Parameters<typeof startApi>[0], seed: number) {
  const api = await startApi(t);
  const fold = startFold(api.database, { network });
  t.onTestFinished(() => fold.stop());
  const devnet = testDevnet({ seed });
  const { node, posted } = devnet;
  const get = async (url: string) => (await api.app.inject(url)).json();
  let sent = 0;
  const follow = async () => {
    await append(api.database, posted.slice(sent));
    sent = posted.length;
    const { height, indexHash, state, burn } = node.tip;
    await until(async () => (await get('/extended')).chain_tip?.index_block_hash === indexHash);
    expect(await get('/extended/v2/blocks/latest')).toMatchObject({ height, index_block_hash: indexHash });
    for (const account of [0, 1, 2, 3]) {
      const { address } = devnet.residents.account(account);
      const balance = await get(`/extended/v1/address/${address}/stx`);
      // The public API lets a lock hold one burn block longer than the node does.
      const locked = balance.burnchain_unlock_height === burn.height ? '0' : balance.locked;
      const expected = [state.stx, state.locked].map(amounts => String(amounts.get(address) ?? 0n));
      expect([address, balance.balance, locked]).toEqual([address, ...expected]);
    }
  };
  return { ...devnet, follow, get };
}

test.each([
  { phase: 'reward', preparing: false },
  { phase: 'prepare', preparing: true },
])('readers follow the node through Bitcoin forks of depth 1 to 6 in the $phase phase', async ({ preparing }) => {
  const ends: (() => unknown)[] = [];
  try {
    const devnet = await start({ onTestFinished: work => void ends.unshift(work) }, preparing ? 21 : 22);
    const { node, live, follow, wait } = devnet;
    live(12);
    // The first blocks come with the contracts of genesis, and the process is still warming up.
    await follow();
    for (let depth = 1; depth <= 6; depth++) {
      // The fork begins in the phase; its depth may reach into the one before.
      do live(1);
      while (isPreparing(node.chain.burnChain.tip.height) !== preparing);
      while (node.tip.burn !== node.chain.burnChain.tip) live(1);
      await follow();
      const left = node.tip;
      node.mineBurnBlock({ replaces: depth });
      expect(node.tip.height).toBeLessThan(left.height);
      await follow();
      for (let i = 0; i < depth; i++) {
        wait(10);
        node.mineBurnBlock();
        await follow();
      }
      // The new branch is shorter than the dead one for a while.
      while (node.tip.height <= left.height) {
        live(1);
        await follow();
      }
    }
  } finally {
    for (const end of ends) await end();
  }
});
