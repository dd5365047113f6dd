import { nameOperations } from '../../chain/names/bns-v1.ts';
import { type NameChange, nameChanges } from '../../chain/names/change.ts';
import type { Row, Table } from '../../db/table.ts';
import type { HistoryTable } from '../rows/history-table.ts';
import type { CurrentTable, FirstTable } from '../rows/table-kinds.ts';

/** A name as one version of the naming system knows it, after its last change. */
export type NameState = {
  name: string;
  namespace: string;
  version: 1 | 2;
  /** False until the first change that we have seen. */
  known: boolean;
  owner: number;
  zonefileOwner: number;
  leaseStart: number;
  renewal: number;
  token: number;
  status: number;
  revoked: boolean;
  price: bigint | null;
  zonefileHash: Uint8Array;
};

export const nameHistoryTable: Table = {
  name: 'name_history',
  columns: {
    height: 'int4',
    event_index: 'int4',
    owner: 'principal',
    zonefile_owner: 'principal',
    lease_start: 'int4',
    renewal: 'int4',
    token: 'int4',
    version: 'int2',
    place: 'int2',
    change: 'int2',
    status: 'int2',
    revoked: 'bool',
    price: 'numeric',
    zonefile_hash: 'bytea',
    name: 'text',
    namespace: 'text',
  },
};

export const namesTable: CurrentTable = {
  name: 'names',
  columns: {
    owner: 'principal',
    lease_start: 'int4',
    renewal: 'int4',
    version: 'int2',
    hidden: 'bool',
    name: 'text',
    namespace: 'text',
  },
  key: ['name'],
};

export const primaryNamesTable: HistoryTable = {
  name: 'primary_names',
  columns: { owner: 'principal', height: 'int4', event_index: 'int4', token: 'int4', place: 'int2' },
  key: ['owner'],
  order: ['height', 'place', 'event_index'],
};

/** Known by its content: a row that is there already is the same. */
export const zonefilesTable: FirstTable = {
  name: 'zonefiles',
  columns: { hash: 'bytea', content: 'bytea' },
  key: ['hash'],
};

export const historyRow = (
  state: NameState,
  { height, place, index }: { height: number; place: number; index: number },
  change: NameChange,
): Row => [
  height,
  index,
  state.owner,
  state.zonefileOwner,
  state.leaseStart,
  state.renewal,
  state.token,
  state.version,
  place,
  nameChanges[change],
  state.status,
  state.revoked,
  state.price,
  state.zonefileHash,
  state.name,
  state.namespace,
];

export const currentRow = (state: NameState): Row => [
  state.owner,
  state.leaseStart,
  state.renewal,
  state.version,
  state.revoked || state.owner === 0,
  state.name,
  state.namespace,
];

const none = new Uint8Array(0);

export const unknownName = (version: 1 | 2, name: string): NameState => ({
  name,
  namespace: name.slice(name.lastIndexOf('.') + 1),
  version,
  known: false,
  owner: 0,
  zonefileOwner: 0,
  leaseStart: 0,
  renewal: 0,
  token: 0,
  status: nameOperations['name-register'],
  revoked: false,
  price: null,
  zonefileHash: none,
});
