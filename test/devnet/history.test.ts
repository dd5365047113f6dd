import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { decodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { BurnBranch } from '@cairn-stacks/devnet/chain/burn-branch';
import type { BurnBlock } from '@cairn-stacks/devnet/chain/burn-chain';
import { type Candidate, chooseChain, type ForkArrival } from '@cairn-stacks/devnet/chain/fork-choice';
import { orphanKinds } from '@cairn-stacks/devnet/node/bitcoin-fork';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { differences, dump, emptyTables } from '../support/dump.ts';
import { historiesOf, historyTimeout, playHistories, propertySeed as seed } from '../support/seed.ts';
import { append, foldAll, positionOf, startFold, testNetwork } from '../support/service.ts';
import { command, type Posted, startObserver, startSimulation } from '../support/simulation.ts';

/**
 * What the control of the devnet can do to the messages, in any order, must leave the tables as a quiet node would: one that
 * tells each canonical block once, in its order, and each burn block once. All is played through the RPC and the outbox, so
 * that forks, held back blocks, repetitions and restarts are those that an operator sees. After every command for which all
 * blocks were posted, the tables stand at the node's own tip.
 */
const network = { ...testNetwork, name: 'devnet' };
const histories = Number(process.env.DEVNET_HISTORIES ?? historiesOf(1 / 25));

const commands = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }).map(count => `mine?count=${count}`) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }).map(count => `fork?count=${count}`) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }).map(count => `bitcoin-fork?count=${count}`) },
  { weight: 4, arbitrary: fc.constantFrom(...orphanKinds).map(kind => `orphan?what=${kind}`) },
  { weight: 2, arbitrary: fc.constant('bitcoin-return') },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map(count => `late?count=${count}`) },
  {
    weight: 5,
    arbitrary: fc.constantFrom('miss', 'recover', 'duplicate?count=2', 'restart', 'new process', 'new fold'),
  },
);

interface AnnouncedBlock extends Candidate<AnnouncedBlock> {
  message: Posted;
}

/** A burn block as its message tells of it. */
type AnnouncedBurn = BurnBlock & { posted: Posted };

/** The messages of a node that nothing ever happened to. */
function quiet(received: readonly Posted[]): { path: string; body: string }[] {
  const blocks = new Map<string, AnnouncedBlock & { parentId: string }>();
  const arrivals: ForkArrival<AnnouncedBlock>[] = [];
  const burns = readBurns(received);
  const branch = new BurnBranch();
  for (const message of received) {
    const body = JSON.parse(message.body.toString()) as Record<string, unknown>;
    const announced = message.path === '/new_burn_block' && burns.get(String(body.burn_block_hash));
    if (announced) {
      arrivals.push({ burn: announced });
      branch.announce(announced);
    }
    if (message.path !== '/new_block') continue;
    const { index_block_hash: id, parent_index_block_hash: parentId, block_height: height } = body;
    const burn = burns.get(String(body.burn_block_hash));
    const empty = (body.transactions as unknown[]).length === 0 && height === 0;
    const block = {
      height: Number(height),
      indexHash: String(id),
      parentId: String(parentId),
      empty,
      message,
      ...(burn && { burn }),
      ...readTenureChange(body, burns),
    };
    const candidate = Object.assign(block, { parent: undefined as AnnouncedBlock | undefined });
    if (!empty) blocks.set(candidate.indexHash, blocks.get(candidate.indexHash) ?? candidate);
    arrivals.push({ block: blocks.get(candidate.indexHash) ?? candidate });
  }
  for (const block of blocks.values()) block.parent = blocks.get(block.parentId);
  const chain = chooseChain(arrivals).map(({ message }) => message);
  const canonicalBurns = branch.blocks.map(({ hash }) => burns.get(hash)!.posted);
  return [...canonicalBurns, ...chain].map(({ path, body }) => ({ path, body: body.toString() }));
}

/** The burn view that the tenure change of a block names. */
function readTenureChange(body: Record<string, unknown>, burns: ReadonlyMap<string, AnnouncedBurn>) {
  for (const { raw_tx: raw } of body.transactions as { raw_tx: string }[]) {
    const payload = raw === '0x00' ? undefined : decodeTransaction(fromHex(raw)).payload;
    if (payload?.type !== 'tenure_change') continue;
    const hash = toHex(payload.burnViewConsensusHash);
    const view = [...burns.values()].find(
      ({ message }) => (message as Record<string, unknown>).consensus_hash === hash,
    );
    return { changesTenure: true, ...(view && { view }) };
  }
  return {};
}

/** Every burn block that was announced, with its parent, by hash. */
function readBurns(received: readonly Posted[]): Map<string, AnnouncedBurn> {
  const burns = new Map<string, AnnouncedBurn>();
  const parents = new Map<string, string>();
  for (const posted of received) {
    if (posted.path !== '/new_burn_block') continue;
    const body = JSON.parse(posted.body.toString()) as Record<string, unknown>;
    const hash = String(body.burn_block_hash);
    const known = {
      hash,
      height: Number(body.burn_block_height),
      time: 0,
      consensusHash: new Uint8Array(20),
      message: body,
    };
    burns.set(hash, burns.get(hash) ?? { ...known, parent: undefined, namesParent: true, posted });
    parents.set(hash, String(body.parent_burn_block_hash));
  }
  for (const burn of burns.values()) burn.parent = burns.get(parents.get(burn.hash)!);
  return burns;
}

test(`after any commands to a devnet the tables equal a fresh replay of its canonical chain (seed ${seed})`, {
  timeout: historyTimeout,
}, async t => {
  const [live, fresh] = await Promise.all([testDatabase(t), testDatabase(t)]);
  const folder = mkdtempSync(join(tmpdir(), 'cairn-devnet-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  let run = 0;
  const play = async (chainSeed: number, list: readonly string[]) => {
    const endings: (() => unknown)[] = [];
    const ending = { onTestFinished: (work: () => unknown) => void endings.push(work) };
    try {
      await Promise.all([emptyTables(live.sql), emptyTables(fresh.sql)]);
      const { url, received } = await startObserver(ending);
      const options = { observer: url, seed: chainSeed, file: join(folder, `${run++}.json`), firstBlocks: 4 };
      let devnet = await startSimulation(ending, options);
      let folded = 0;
      /** Appends what was posted since the last time. */
      const takeUp = async () => {
        const posted = received.slice(folded);
        folded = received.length;
        await append(
          live,
          posted.map(({ path, body }) => ({ path, body: body.toString() })),
        );
      };
      /** The burn block of a block that was held back comes late: what Bitcoin's tip is shows the next burn block. */
      let isLate = false;
      const compareTips = async () => {
        if (devnet.missed.length + devnet.late.length > 0) {
          isLate = true;
          return;
        }
        if (isLate) await command(devnet, 'mine?count=4');
        isLate = false;
        await devnet.outbox.drained();
        await takeUp();
        const { index_hash } = await foldAll(live, [], { network });
        expect(`0x${index_hash.toString('hex')}`).toBe(devnet.node.tip.indexHash);
      };
      for (const name of list) {
        if (name === 'new process') {
          await devnet.stop();
          devnet = await startSimulation(ending, { ...options, mustResume: true });
        } else if (name === 'new fold') {
          await takeUp();
          await startFold(live, { network, batchBlocks: 2 }).stop();
        } else await command(devnet, name);
        await compareTips();
      }
      // What was held back comes at last.
      await command(devnet, 'recover');
      await command(devnet, 'mine?count=4');
      await devnet.outbox.drained();
      await takeUp();
      const position = await foldAll(live, [], { network });
      const replayed = await foldAll(fresh, quiet(received), { network });
      expect([position.halt_reason, replayed.halt_reason]).toEqual([null, null]);
      expect(`0x${(await positionOf(live.sql)).index_hash.toString('hex')}`).toBe(devnet.node.tip.indexHash);
      // A quiet node here has no signers; their tables are compared in test/model/history.test.ts.
      const different = differences(await dump(live.sql), await dump(fresh.sql)).filter(
        line => !line.startsWith('signer_'),
      );
      expect(different.slice(0, 10)).toEqual([]);
    } finally {
      for (const end of endings.reverse()) await end();
    }
  };
  const property = fc.asyncProperty(fc.nat(10_000), fc.array(commands, { minLength: 2, maxLength: 12 }), play);
  await playHistories('commands of the devnet', property, histories);
});
