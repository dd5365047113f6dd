import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { FaultServer } from '../faults/fault-server.ts';
import { freePort } from '../free-port.ts';

const replication = {
  wal_level: 'replica',
  max_wal_senders: '10',
  hot_standby: 'on',
  hot_standby_feedback: 'on',
  wal_keep_size: '512MB',
  // A standby asks for its next primary after this time.
  wal_retrieve_retry_interval: '200ms',
};

/** A server of the cluster, with its port of 127.0.0.1. */
export type Member = { name: string; server: FaultServer; port: number; url: string };

export type ClusterOptions = {
  /** Where the data folders are created. */
  folder: string;
  standbys: number;
  /** Commits wait for the first standby. */
  synchronous?: boolean;
};

/** A PostgreSQL primary with streaming standbys, made by a base backup and file copies. */
export class DatabaseCluster {
  readonly #folder: string;
  readonly members: Member[] = [];
  #promoted: Member | undefined;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open({ folder, standbys, synchronous = false }: ClusterOptions): Promise<DatabaseCluster> {
    const cluster = new DatabaseCluster(folder);
    const ports = await Promise.all(Array.from({ length: standbys + 1 }, freePort));
    const dataDir = cluster.#makeFolder(0);
    const server = await FaultServer.start(dataDir, ports[0], replication);
    cluster.#add('primary', server, ports[0]!);
    for (const [i, port] of ports.entries()) if (i > 0) await cluster.#addStandby(i, port, ports);
    if (synchronous) {
      await server.ask(`alter system set synchronous_standby_names = 'FIRST 1 (standby1)'`);
      await server.ask('select pg_reload_conf()');
      await until(async () => {
        const [row] = await server.ask<{ count: string }>(
          `select count(*) from pg_stat_replication where sync_state = 'sync'`,
        );
        return row?.count === '1';
      });
    }
    return cluster;
  }

  /** The server that was the primary at first. */
  get primary(): Member {
    return this.members[0]!;
  }

  /** The server that is the primary now. */
  get current(): Member {
    return this.#promoted ?? this.primary;
  }

  get standbys(): Member[] {
    return this.members.slice(1);
  }

  /** One URL that names several servers. */
  urlOf(...members: Member[]): string {
    const [first] = members;
    return first!.url.replace(`127.0.0.1:${first!.port}`, members.map(({ port }) => `127.0.0.1:${port}`).join(','));
  }

  /** Makes a standby the primary; resolves when it accepts writes. */
  async promote(member: Member): Promise<void> {
    const { server } = member;
    await server.ask('alter system reset synchronous_standby_names');
    await server.ask('select pg_promote(true, 60)');
    this.#promoted = member;
  }

  /** Ends the stream to a standby, as a broken network does; it does not connect again. */
  async disconnect({ server }: Member): Promise<void> {
    await server.ask(`alter system set primary_conninfo = ''`);
    await server.ask('select pg_reload_conf()');
    await until(async () => (await server.ask('select 1 from pg_stat_wal_receiver')).length === 0);
  }

  /** Waits until a standby has all that the primary has now. */
  async caughtUp({ server }: Member): Promise<void> {
    const [row] = await this.primary.server.ask<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn');
    await until(async () => {
      const [at] = await server.ask<{ done: boolean }>(`select pg_last_wal_replay_lsn() >= $1::pg_lsn as done`, [
        row!.lsn,
      ]);
      return at!.done;
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map(({ server }) => server.stop()));
  }

  async #addStandby(index: number, port: number, ports: readonly number[]): Promise<void> {
    const { server: primary } = this.primary;
    const dataDir = this.#makeFolder(index);
    const name = `standby${index}`;
    const home = join(dataDir, 'postgres');
    const target = join(home, 'cluster');
    const client = new pg.Client({ connectionString: this.primary.url });
    await client.connect();
    try {
      await client.query(`select pg_backup_start('copy', true)`);
      mkdirSync(home, { recursive: true });
      const { uid, gid } = statSync(primary.cluster);
      const { uid: homeUid, gid: homeGid } = statSync(join(primary.dataDir, 'postgres'));
      chownSync(home, homeUid, homeGid);
      chmodSync(home, statSync(join(primary.dataDir, 'postgres')).mode & 0o777);
      // Files may vanish while they are copied, which a base backup allows.
      execFileSync('sh', ['-c', 'cp -a "$1" "$2" 2>/dev/null || true', 'sh', primary.cluster, target]);
      execFileSync('cp', ['-a', join(primary.dataDir, 'postgres.password'), dataDir]);
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      execFileSync('rm', ['-f', join(target, 'postmaster.pid'), join(target, 'postmaster.opts')]);
      for (const [file, text] of Object.entries({ backup_label: rows[0]!.labelfile, 'standby.signal': '' })) {
        writeFileSync(join(target, file), text, { mode: 0o600 });
        chownSync(join(target, file), uid, gid);
      }
    } finally {
      await client.end();
    }
    const others = ports.filter(other => other !== port);
    const password = new URL(this.primary.url).password;
    const conninfo = [
      `host=${others.map(() => '127.0.0.1').join(',')}`,
      `port=${others.join(',')}`,
      'target_session_attrs=read-write',
      'connect_timeout=2',
      `user=cairn password=${password} application_name=${name}`,
    ].join(' ');
    const settings = { ...replication, primary_conninfo: conninfo, recovery_target_timeline: 'latest' };
    this.#add(name, await FaultServer.start(dataDir, port, settings), port);
  }

  #makeFolder(index: number): string {
    const dataDir = join(this.#folder, `server${index}`);
    mkdirSync(dataDir, { recursive: true });
    chmodSync(dataDir, 0o755);
    return dataDir;
  }

  #add(name: string, server: FaultServer, port: number): void {
    this.members.push({ name, server, port, url: server.urlAt('127.0.0.1', port) });
  }
}

async function until(test: () => Promise<boolean>, patienceMs = 30_000): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await test())) {
    if (Date.now() > end) throw new Error('the cluster did not get there in time');
    await sleep(20);
  }
}
