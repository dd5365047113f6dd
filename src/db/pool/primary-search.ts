import pg from 'pg';
import type { Address } from '../address.ts';

/** Time limit of the response of one host. */
const HOST_MS = 3000;
/** After the first primary has responded, the others have this time: of two primaries the one that was promoted last counts. */
const GRACE_MS = 300;

/** What a host says about itself. */
export type HostState = {
  /** Host and port. */
  name: string;
  role: 'primary' | 'standby' | 'unreachable';
  /** Counts promotions; 0 for a standby. */
  timeline: number;
  /** Why it is unreachable. */
  reason?: string;
};

/** The host to connect to: the only one, or of several the primary. */
export function locateHost(address: Address): string | Promise<string> {
  const { hosts, primary } = address;
  if (hosts.length === 1) return hosts[0]!;
  return primary ?? searchPrimary(address);
}

async function searchPrimary(address: Address): Promise<string> {
  const states = await listHosts(address);
  const primaries = states.filter(({ role }) => role === 'primary');
  if (primaries.length === 0) {
    const seen = states.map(({ name, role }) => `${name} ${role}`).join(', ');
    throw Object.assign(new Error(`no host of the database is the primary: ${seen}`), { code: 'ECONNREFUSED' });
  }
  const newest = primaries.reduce((best, state) => (state.timeline > best.timeline ? state : best));
  address.primary = address.hosts[states.indexOf(newest)]!;
  return address.primary;
}

/** Asks all hosts at once; soon after a primary has responded, the others count as unreachable. */
async function listHosts({ hosts }: Pick<Address, 'hosts'>): Promise<HostState[]> {
  const states: HostState[] = hosts.map(host => ({ name: nameOf(host), role: 'unreachable', timeline: 0 }));
  let onPrimary = () => {};
  const grace = new Promise<void>(resolve => {
    onPrimary = () => void setTimeout(resolve, GRACE_MS);
  });
  const all = Promise.all(
    hosts.map(async (host, i) => {
      states[i] = { ...states[i]!, ...(await askHost(host)) };
      if (states[i]!.role === 'primary') onPrimary();
    }),
  );
  await Promise.race([all, grace]);
  return [...states];
}

async function askHost(host: string): Promise<Pick<HostState, 'role' | 'timeline' | 'reason'>> {
  const client = new pg.Client({
    connectionString: host,
    application_name: 'cairn primary search',
    connectionTimeoutMillis: HOST_MS,
    query_timeout: HOST_MS,
  });
  client.on('error', () => {}); // the statement fails with it
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean; timeline: number }>(`
      select
        pg_is_in_recovery() as standby,
        case
          when pg_is_in_recovery() then 0
          else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
        end as timeline
    `);
    const [row] = rows;
    return { role: row!.standby ? 'standby' : 'primary', timeline: row!.timeline };
  } catch (error) {
    return { role: 'unreachable', timeline: 0, reason: (error as Error).message };
  } finally {
    // A host that does not respond must not hold up the search.
    client.end().catch(() => {});
  }
}

const nameOf = (host: string) => {
  const { hostname, port } = new URL(host);
  return `${decodeURIComponent(hostname)}${port === '' ? '' : `:${port}`}`;
};
