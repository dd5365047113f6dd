import { isPrincipal } from '@cairn-stacks/codec/address/principal';
import { nameChanges } from '../../chain/names/change.ts';
import { namespaceChanges } from '../../chain/names/namespace.ts';
import { arrayLiteral } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import { array, bytes, integer, type Json, MessageError, object, text } from '../../node/json.ts';
import { zonefilesTable } from '../projections/bns-state.ts';
import { subdomainsTable } from '../rows/attachments.ts';
import type { Batch } from '../rows/batch.ts';
import type { FirstTable } from '../rows/table-kinds.ts';

/** The log path of names and vesting that the operator has imported; no node posts to it. */
export const genesisNamesPath = '/cairn/genesis_names';

/** A part of the initial names and vesting, as stored in the log; ordinals number names and namespaces through all parts. */
export type GenesisNames = {
  names: { ordinal: number; name: string; owner: string; zonefileHash: Buffer }[];
  namespaces: { ordinal: number; namespace: string; importer: string; lifetime: number; price: string[] }[];
  vesting: { ordinal: number; owner: string; amount: string; height: number }[];
  zonefiles: { hash: Buffer; content: Buffer }[];
  subdomains: { name: string; owner: string; zonefileHash: Buffer; resolver: string; content: Buffer }[];
};

const genesisNamesTable: FirstTable = {
  name: 'genesis_names',
  columns: { ordinal: 'int4', owner: 'principal', name: 'text', namespace: 'text', zonefile_hash: 'bytea' },
  key: ['name'],
};

const genesisNamespacesTable: FirstTable = {
  name: 'genesis_namespaces',
  columns: {
    ordinal: 'int4',
    lifetime: 'int4',
    importer: 'principal',
    base: 'numeric',
    coefficient: 'numeric',
    nonalpha_discount: 'numeric',
    no_vowel_discount: 'numeric',
    buckets: 'text',
    namespace: 'text',
  },
  key: ['namespace'],
};

const genesisVestingTable: FirstTable = {
  name: 'genesis_vesting',
  columns: { ordinal: 'int4', height: 'int4', principal: 'principal', amount: 'numeric' },
  key: ['ordinal'],
};

export function readGenesisNames(value: unknown): GenesisNames {
  const json = object(value, 'genesis names');
  const items = (key: string) => array(json[key] ?? [], key).map(item => object(item, key));
  return {
    names: items('names').map(item => ({
      ordinal: ordinalIn(item),
      name: shortText(item, 'name'),
      owner: principalIn(item, 'owner'),
      zonefileHash: bytes(item.zonefile_hash, 'zonefile_hash'),
    })),
    namespaces: items('namespaces').map(item => ({
      ordinal: ordinalIn(item),
      namespace: shortText(item, 'namespace'),
      importer: principalIn(item, 'importer'),
      lifetime: Math.min(integer(item, 'lifetime'), largest),
      price: array(item.price, 'price').map(digitsOf),
    })),
    vesting: items('vesting').map(item => ({
      ordinal: ordinalIn(item),
      owner: principalIn(item, 'owner'),
      amount: digitsOf(item.amount),
      height: Math.min(integer(item, 'height'), largest),
    })),
    zonefiles: items('zonefiles').map(item => ({
      hash: bytes(item.hash, 'hash'),
      content: bytes(item.content, 'content'),
    })),
    subdomains: items('subdomains').map(item => ({
      name: shortText(item, 'name'),
      owner: shortText(item, 'owner'),
      zonefileHash: bytes(item.zonefile_hash, 'zonefile_hash'),
      resolver: text(item, 'resolver'),
      content: bytes(item.content, 'content'),
    })),
  };
}

const largest = 2_147_483_647;

function ordinalIn(json: Json): number {
  const ordinal = integer(json, 'ordinal');
  if (ordinal < 0 || ordinal > largest) throw new MessageError('ordinal is out of range');
  return ordinal;
}

/** Names and owners are keys of indexes, which refuse long ones. */
function shortText(json: Json, key: string): string {
  const value = text(json, key);
  if (value.length > 200) throw new MessageError(`${key} is too long`);
  return value;
}

function principalIn(json: Json, key: string): string {
  const value = text(json, key);
  if (!isPrincipal(value)) throw new MessageError(`${key} is not a principal`);
  return value;
}

function digitsOf(value: unknown): string {
  if (typeof value !== 'string' || !/^\d{1,18}$/.test(value)) throw new MessageError('expected a decimal number');
  return value;
}

/** Accounts that need keys before the rows are made. */
export const genesisPrincipals = ({ names, namespaces, vesting }: GenesisNames): string[] => [
  ...[...names, ...vesting].map(({ owner }) => owner),
  ...namespaces.map(({ importer }) => importer),
];

/** Adds the rows of a part; `showGenesisNames` makes them visible. */
export function addGenesisNames(batch: Batch, part: GenesisNames, keyOf: (principal: string) => number): void {
  for (const { ordinal, name, owner, zonefileHash } of part.names) {
    const namespace = name.slice(name.lastIndexOf('.') + 1);
    batch.first(genesisNamesTable, name, [ordinal, keyOf(owner), name, namespace, zonefileHash]);
  }
  for (const { ordinal, namespace, importer, lifetime, price } of part.namespaces) {
    const [base, coefficient, nonalpha, noVowel, ...buckets] = price;
    const numbers = [base ?? '0', coefficient ?? '0', nonalpha ?? '0', noVowel ?? '0'].map(BigInt);
    const row = [ordinal, lifetime, keyOf(importer), ...numbers, arrayLiteral(buckets), namespace];
    batch.first(genesisNamespacesTable, namespace, row);
  }
  for (const { ordinal, owner, amount, height } of part.vesting) {
    batch.first(genesisVestingTable, String(ordinal), [ordinal, height, keyOf(owner), BigInt(amount)]);
  }
  for (const { hash, content } of part.zonefiles) {
    batch.first(zonefilesTable, hash.toString('hex'), [hash, content]);
  }
  for (const { name, owner, zonefileHash, resolver, content } of part.subdomains) {
    const dot = name.indexOf('.');
    const [label, parent] = [name.slice(0, dot), name.slice(dot + 1)];
    const row = [0, true, new Uint8Array(0), zonefileHash, parent, label, owner, resolver, content];
    batch.first(subdomainsTable, `${parent} ${label} `, row);
  }
}

/** Shows names as part of block 1: all of them where it is applied, those of new parts where it is there already. */
export function showGenesisNames(flush: Flush, parts: readonly GenesisNames[] | 'all', bulk: boolean): void {
  const ranges = parts === 'all' ? [[0, largest]] : parts.flatMap(rangeOf);
  for (const range of ranges) {
    flush.query(
      `insert into name_history (height, event_index, owner, zonefile_owner, lease_start, renewal, token, version, place,
         change, status, revoked, zonefile_hash, name, namespace)
       select 1, g.ordinal, g.owner, g.owner, 1, 0, 0, 1, -1, ${nameChanges['name-genesis']},
         ${nameChanges['name-register']}, false, g.zonefile_hash, g.name, g.namespace
       from genesis_names g
       where g.ordinal between $1::int and $2::int
       on conflict do nothing`,
      range,
    );
    flush.query(
      `insert into namespace_history (height, event_index, importer, manager, revealed_at, launched_at, lifetime, version,
         place, change, manager_transfers, manager_frozen, price_updatable, base, coefficient, nonalpha_discount,
         no_vowel_discount, buckets, namespace)
       select 1, g.ordinal, g.importer, 0, 1, 1, g.lifetime, 1, -1, ${namespaceChanges.genesis}, false, false, false,
         g.base, g.coefficient, g.nonalpha_discount, g.no_vowel_discount, g.buckets::int8[], g.namespace
       from genesis_namespaces g
       where g.ordinal between $1::int and $2::int
       on conflict do nothing`,
      range,
    );
    if (bulk) continue;
    flush.query(
      `insert into names (owner, lease_start, renewal, version, hidden, name, namespace)
       select g.owner, 1, 0, 1, false, g.name, g.namespace
       from genesis_names g
       where g.ordinal between $1::int and $2::int
       on conflict do nothing`,
      range,
    );
  }
}

function rangeOf({ names, namespaces }: GenesisNames): [number, number][] {
  const ordinals = [...names, ...namespaces].map(({ ordinal }) => ordinal);
  return ordinals.length === 0
    ? []
    : [[ordinals.reduce((a, b) => Math.min(a, b)), ordinals.reduce((a, b) => Math.max(a, b))]];
}
