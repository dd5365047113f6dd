import type { Sql } from '../../db/client.ts';
import {
  type AssetEntry,
  type ContractEntry,
  findNamesState,
  listAssetsAbove,
  listContractsAbove,
  type NamesState,
  NEWEST_NAMES,
} from './name-list-queries.ts';

/** A name in lower case; the exact bytes of the contract put assets in order. */
type Named = { id: number; text: string; order: string };
type Lists = { contracts: readonly Named[]; assets: readonly Named[]; ordered: readonly Named[]; lastAsset: number };

/** How a text has a part: it is the part, begins with it, or has it somewhere. */
export type Match = { id: number; rank: 0 | 1 | 2 };

/**
 * The names of the newest contracts and assets, in which a part of a name is found within a millisecond. What blocks add is read
 * with the next search; after a fork or a rebuild all is read again. Who uses a match reads its row, which may be gone.
 */
export class NameListCache {
  #state: NamesState = { revision: '', height: -1 };
  #lists: Lists = { contracts: [], assets: [], ordered: [], lastAsset: -1 };
  #loading: { state: NamesState; done: Promise<Lists> } | undefined;

  /** The names up to the tip that `sql` sees, or a later one. */
  async read(sql: Sql): Promise<NameLists> {
    const state = await findNamesState(sql);
    if (includes(this.#state, state)) return new NameLists(this.#lists);
    const other = this.#loading;
    if (other && includes(other.state, state)) {
      // If the other search failed or its client has left, this one reads for itself.
      const lists = await other.done.catch(() => undefined);
      if (lists) return new NameLists(lists);
    }
    const done = this.#load(sql, state);
    const loading = { state, done };
    this.#loading = loading;
    try {
      return new NameLists(await done);
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  async #load(sql: Sql, state: NamesState): Promise<Lists> {
    const known = this.#state.revision === state.revision ? this.#lists : undefined;
    const contracts = await listContractsAbove(sql, known ? this.#state.height : -1);
    const assets = await listAssetsAbove(sql, known?.lastAsset ?? -1);
    const newest = [...assets.map(namedAsset), ...(known?.assets ?? [])].slice(0, NEWEST_NAMES);
    const lists = {
      contracts: [...contracts.map(namedContract), ...(known?.contracts ?? [])].slice(0, NEWEST_NAMES),
      assets: newest,
      ordered: known && assets.length === 0 ? known.ordered : [...newest].sort((a, b) => (a.order < b.order ? -1 : 1)),
      lastAsset: assets[0]?.id ?? known?.lastAsset ?? -1,
    };
    this.#state = state;
    this.#lists = lists;
    return lists;
  }
}

const includes = (known: NamesState, wanted: NamesState) =>
  known.revision === wanted.revision && known.height >= wanted.height;

/** The name of a contract stands behind the dot of its compact principal. */
const nameIn = (principal: Buffer) => principal.toString('latin1', 22);

const namedContract = ({ id, name }: ContractEntry): Named => ({
  id,
  text: nameIn(name).toLowerCase(),
  order: name.toString('latin1'),
});

const namedAsset = ({ id, contract, name }: AssetEntry): Named => ({
  id,
  text: `${nameIn(contract)}::${name}`.toLowerCase(),
  order: `${contract.toString('latin1')}\0${name}`,
});

/** The names of one state. */
class NameLists {
  readonly #lists: Lists;

  constructor(lists: Lists) {
    this.#lists = lists;
  }

  /** Contracts whose name has a part anywhere, the newest first. */
  contracts(part: string): Match[] {
    const wanted = part.toLowerCase();
    return this.#lists.contracts.flatMap(({ id, text }) => matchOf(id, text, wanted, [text]));
  }

  /** Assets with a part in the name of their contract or in their own, by contract and name; `a::b` is the end of one and the beginning of the other. */
  assets(part: string): Match[] {
    const wanted = part.toLowerCase();
    return this.#lists.ordered.flatMap(({ id, text }) =>
      text.includes(wanted) ? matchOf(id, text, wanted, [text, ...text.split('::')]) : [],
    );
  }
}

function matchOf(id: number, text: string, part: string, names: readonly string[]): Match[] {
  if (!text.includes(part)) return [];
  if (names.includes(part)) return [{ id, rank: 0 }];
  return [{ id, rank: names.some(name => name.startsWith(part)) ? 1 : 2 }];
}
