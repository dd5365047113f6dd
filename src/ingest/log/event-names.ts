import type { Sql } from '../../db/client.ts';

/** The known paths of a node and of the observer; they always get a name of their own in the log. */
export const knownPaths: ReadonlySet<string> = new Set([
  '/new_block',
  '/new_burn_block',
  '/new_mempool_tx',
  '/drop_mempool_tx',
  '/new_microblocks',
  '/attachments/new',
  '/stackerdb_chunks',
  '/proposal_response',
  '/mined_block',
  '/mined_microblock',
  '/mined_nakamoto_block',
  '/cairn/signer_messages',
]);

type Kind = {
  /** Maximum number of names of this kind; any client of the port can invent names, so further ones share one. */
  limit: number;
  shared: string;
  always: ReadonlySet<string>;
  list(sql: Sql): Promise<Named[]>;
  find(sql: Sql, name: string): Promise<Named[]>;
  /** Takes the next free number, or none when another process was faster. */
  add(sql: Sql, name: string): Promise<unknown>;
};
type Named = { id: number; name: string };

const paths: Kind = {
  limit: 1000,
  shared: '/other',
  always: knownPaths,
  list: sql => sql<Named[]>`select id, path as name from event_paths`,
  find: (sql, path) => sql<Named[]>`select id, path as name from event_paths where path = ${path}`,
  add: (sql, path) => sql`
    insert into event_paths (id, path)
    select coalesce(max(id), 0) + 1, ${path} from event_paths
    on conflict do nothing
  `,
};

const sources: Kind = {
  limit: 1000,
  shared: 'other',
  always: new Set(),
  list: sql => sql<Named[]>`select id, source as name from event_sources`,
  find: (sql, source) => sql<Named[]>`select id, source as name from event_sources where source = ${source}`,
  add: (sql, source) => sql`
    insert into event_sources (id, source)
    select coalesce(max(id), 0) + 1, ${source} from event_sources
    on conflict do nothing
  `,
};

/** Names of paths and sources as the small numbers that log rows hold; a name costs a round trip only once. */
export class EventNames {
  readonly #paths = new Numbers(paths);
  readonly #sources = new Numbers(sources);

  pathId(sql: Sql, path: string): Promise<number> {
    return this.#paths.of(sql, path);
  }

  sourceId(sql: Sql, source: string): Promise<number> {
    return this.#sources.of(sql, source);
  }
}

class Numbers {
  readonly #kind: Kind;
  readonly #known = new Map<string, number>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  async of(sql: Sql, given: string): Promise<number> {
    const name = given.replaceAll('\0', '').slice(0, 200);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#known.size === 0) this.#cache(await this.#kind.list(sql));
    const stored = this.#known.size < this.#kind.limit || this.#kind.always.has(name) ? name : this.#kind.shared;
    return this.#known.get(stored) ?? this.#intern(sql, stored);
  }

  /** The table settles races with other processes: the loser reads again. */
  async #intern(sql: Sql, name: string): Promise<number> {
    for (let attempt = 0; attempt < 20; attempt++) {
      await this.#kind.add(sql, name);
      const found = await this.#kind.find(sql, name);
      this.#cache(found);
      if (found[0]) return found[0].id;
    }
    throw new Error(`no number could be given to the event name ${name}`);
  }

  #cache(names: Named[]): void {
    for (const { id, name } of names) this.#known.set(name, id);
  }
}
