import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterBed } from './cluster-bed.ts';

/** Something that happens to a part of the cluster. */
export type ClusterFault = {
  name: string;
  /** Seconds in which requests may fail. */
  limitSeconds: number;
  /** True if the cluster needs a new primary afterwards: no other fault follows on it. */
  last?: boolean;
  inject(bed: ClusterBed, program: string): Promise<void>;
};

const usual = 5;

async function replaceObserver(bed: ClusterBed, program: string, index: number): Promise<void> {
  await bed.observers[index]!.kill();
  await sleep(3000);
  bed.observers[index] = await bed.startObserver(program, index);
}

export const faults: readonly ClusterFault[] = [
  {
    name: 'writer killed in mid-batch',
    limitSeconds: usual,
    inject: (bed, program) => replaceObserver(bed, program, 0),
  },
  {
    name: 'two observers killed in turn',
    limitSeconds: usual,
    async inject(bed, program) {
      for (const index of [1, 0]) {
        await replaceObserver(bed, program, index);
        await sleep(1000);
      }
    },
  },
  {
    name: 'api process killed',
    limitSeconds: usual,
    async inject(bed, program) {
      await bed.apis[0]!.kill();
      bed.apis[0] = await bed.startApi(program);
    },
  },
  {
    name: 'replica killed',
    limitSeconds: usual,
    async inject({ cluster }) {
      const { server } = cluster.standbys[1]!;
      server.kill();
      await sleep(2000);
      await server.revive();
    },
  },
  {
    name: 'replica 30 s behind',
    limitSeconds: usual,
    async inject({ cluster }) {
      const { server } = cluster.standbys[1]!;
      await server.ask('select pg_wal_replay_pause()');
      await sleep(30_000);
      // A statement on a standby that is so far behind may be cancelled for what the standby has to replay.
      const resume = () => server.ask('select pg_wal_replay_resume()');
      await resume().catch(resume);
    },
  },
  {
    name: 'network cut between api and primary',
    limitSeconds: usual,
    async inject({ proxy }) {
      proxy.stall();
      await sleep(8000);
      proxy.resetAll();
      proxy.resume();
    },
  },
  {
    name: 'primary killed and standby promoted',
    limitSeconds: 10,
    last: true,
    async inject({ cluster }) {
      cluster.primary.server.kill();
      await cluster.promote(cluster.standbys[0]!);
    },
  },
];

/** Both standbys lose the last commits before the primary is lost. */
export const lossyPromotion: ClusterFault = {
  name: 'primary killed, promoted standby lacks commits',
  limitSeconds: 10,
  last: true,
  async inject(bed) {
    const { cluster } = bed;
    for (const standby of cluster.standbys) await cluster.disconnect(standby);
    const lost = bed.writes.height + 5;
    while (bed.writes.height < lost) await sleep(20);
    cluster.primary.server.kill();
    await cluster.promote(cluster.standbys[0]!);
  },
};

/** Each process is replaced by one of the present program, observers first. */
export const rollingUpgrade: ClusterFault = {
  name: 'rolling upgrade from the previous release',
  limitSeconds: usual,
  async inject(bed, program) {
    for (const index of [0, 1]) {
      await bed.observers[index]!.stop();
      bed.observers[index] = await bed.startObserver(program, index);
    }
    for (const index of [0, 1]) {
      const old = bed.apis[index]!;
      bed.apis[index] = await bed.startApi(program);
      await old.stop();
    }
  },
};
