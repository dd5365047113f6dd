import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { changeNames, nameChange } from '../../chain/names/change.ts';
import { expiryOf, gracePeriod, leaseState } from '../../chain/names/lease.ts';
import { namespaceChange } from '../../chain/names/namespace.ts';
import type { ExpiringRow } from './lists-queries.ts';
import { termsOf } from './name-schema.ts';
import type { NameRow } from './names-queries.ts';
import type { NamespaceRow } from './namespaces-queries.ts';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()]);
const Version = Type.Union([Type.Literal(1), Type.Literal(2)], { description: 'Version of the naming system (BNS).' });
const states = ['active', 'grace', 'expired', 'revoked', 'burnt'] as const;

const Expiry = Type.Object(
  {
    chain: Type.Union([Type.Literal('stacks'), Type.Literal('burn')], {
      description: 'Chain whose blocks are counted: Stacks blocks in version 1, burn blocks in version 2.',
    }),
    height: Nullable(
      Type.Integer({
        description: 'Last block in which the name resolves; null if the name never expires or its lease is unknown.',
      }),
    ),
    grace_until: Nullable(
      Type.Integer({ description: 'Last block in which only the owner may renew the name; null if `height` is null.' }),
    ),
    never: Type.Boolean({ description: 'Whether the name never expires.' }),
  },
  { title: 'NameExpiry' },
);

const change = {
  name: Type.String({ description: 'The name with its namespace.' }),
  namespace: Type.String({ description: 'The namespace.' }),
  version: Version,
  owner: Nullable(Type.String({ description: 'Null for a burnt name.' })),
  expires: Expiry,
  token_id: Nullable(Type.Integer({ description: 'Id of the NFT; null in version 1.' })),
  listing_price: Nullable(Type.String({ description: 'Sale price in micro-STX; null if the name is not for sale.' })),
  zonefile_hash: Nullable(Type.String({ description: 'Null if the owner has set no zonefile.' })),
  revoked: Type.Boolean({ description: 'Whether the name is revoked.' }),
  last_change: Type.Enum(changeNames),
  tx_id: Nullable(Type.String({ description: 'Transaction of the change; null for names of the genesis block.' })),
  block_height: Type.Integer({ description: 'Height of the block of the last change.' }),
};

export const NameDetails = Type.Object(
  {
    ...change,
    state: Type.Enum(states),
    at_block: Type.Integer({ description: 'Height of the block that the response describes.' }),
  },
  { title: 'NameDetails' },
);
const NameChanged = Type.Object(change, { title: 'NameChange' });
type NameChanged = Static<typeof NameChanged>;

const cursor = Nullable(Type.String({ description: 'Cursor of the next page; null on the last page.' }));

export const NameChangePage = Type.Object(
  {
    limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
    next_cursor: cursor,
    results: Type.Array(NameChanged),
  },
  { title: 'NameChangePage' },
);

const ExpiringName = Type.Object(
  {
    name: Type.String({ description: 'The name with its namespace.' }),
    namespace: Type.String({ description: 'The namespace.' }),
    owner: Type.String({ description: 'Address of the owner.' }),
    expires: Type.Integer({ description: 'Last block of the lease.' }),
  },
  { title: 'ExpiringName' },
);
export const ExpiringPage = Type.Object(
  {
    limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
    chain: Expiry.properties.chain,
    height: Type.Integer({ description: 'Current height of the chain.' }),
    next_cursor: cursor,
    results: Type.Array(ExpiringName),
  },
  { title: 'ExpiringNamePage' },
);

export const PrimaryName = Type.Object(
  {
    owner: Type.String({ description: 'Address of the owner.' }),
    name: Nullable(Type.String({ description: 'Null if the account has no name.' })),
    version: Nullable(Version),
  },
  { title: 'PrimaryName' },
);

export const Availability = Type.Object(
  {
    name: Type.String({ description: 'The name with its namespace.' }),
    namespace: Type.String({ description: 'The namespace.' }),
    available: Type.Boolean({ description: 'Whether the name can be registered now.' }),
    reason: Nullable(
      Type.Enum(['invalid_name', 'unknown_namespace', 'namespace_not_launched', 'managed_namespace', 'taken', 'grace']),
    ),
    price: Nullable(Type.String({ description: 'Price in micro-STX; null if it cannot be determined.' })),
    version: Nullable(Version),
    owner: Nullable(Type.String()),
    expires: Nullable(Expiry),
  },
  { title: 'NameAvailability' },
);

export const NamespaceDetails = Type.Object(
  {
    namespace: Type.String({ description: 'The namespace.' }),
    version: Version,
    importer: Nullable(Type.String()),
    manager: Nullable(Type.String()),
    manager_transfers: Type.Boolean({ description: 'Whether the manager controls transfers of names.' }),
    manager_frozen: Type.Boolean({ description: 'Whether the manager can no longer be changed.' }),
    price_updatable: Type.Boolean({ description: 'Whether the price function can still be changed.' }),
    chain: Expiry.properties.chain,
    revealed_at: Type.Integer({ description: 'Height of the block in which the namespace was revealed.' }),
    launched_at: Nullable(Type.Integer({ description: 'Height of the block of the launch; null before it.' })),
    lifetime: Type.Integer({ description: 'Number of blocks that a lease lasts; 0 means forever.' }),
    price: Type.Object({
      base: Type.String(),
      coefficient: Type.String(),
      nonalpha_discount: Type.String(),
      no_vowel_discount: Type.String(),
      buckets: Type.Array(Type.String()),
    }),
    last_change: Type.String(),
    tx_id: Nullable(Type.String()),
    block_height: Type.Integer({ description: 'Height of the block of the last change.' }),
  },
  { title: 'NamespaceDetails' },
);

const chainOf = (version: 1 | 2) => (version === 1 ? ('stacks' as const) : ('burn' as const));

export function expiryIn(row: NameRow): Static<typeof Expiry> {
  const expiry = expiryOf({ leaseStart: row.lease_start, renewal: row.renewal }, termsOf(row));
  const height = typeof expiry === 'number' ? expiry : null;
  const grace_until = height === null ? null : height + gracePeriod;
  return { chain: chainOf(row.version), height, grace_until, never: expiry === 'never' };
}

export const renderNameChange = (row: NameRow): NameChanged => ({
  name: row.name,
  namespace: row.namespace,
  version: row.version,
  owner: row.owner && principalFromBytes(row.owner),
  expires: expiryIn(row),
  token_id: row.version === 2 ? row.token : null,
  listing_price: row.price,
  zonefile_hash: row.zonefile_hash.length > 0 ? toHex(row.zonefile_hash) : null,
  revoked: row.revoked,
  last_change: nameChange(row.change),
  tx_id: row.tx_id && toHex(row.tx_id),
  block_height: row.height,
});

/** The state of a name at a height of both chains. */
export function stateAt(row: NameRow, { now, burn_now }: { now: number; burn_now: number }): (typeof states)[number] {
  if (!row.owner) return 'burnt';
  if (row.revoked) return 'revoked';
  const expiry = expiryOf({ leaseStart: row.lease_start, renewal: row.renewal }, termsOf(row));
  return leaseState(expiry, row.version === 1 ? now : burn_now);
}

export const renderNameDetails = (row: NameRow & { now: number; burn_now: number }): Static<typeof NameDetails> => ({
  ...renderNameChange(row),
  state: stateAt(row, row),
  at_block: row.now,
});

export const renderExpiring = ({ owner, ...row }: ExpiringRow): Static<typeof ExpiringName> => ({
  ...row,
  owner: principalFromBytes(owner),
});

export const renderNamespace = (row: NamespaceRow): Static<typeof NamespaceDetails> => ({
  namespace: row.namespace,
  version: row.version,
  importer: row.importer && principalFromBytes(row.importer),
  manager: row.manager && principalFromBytes(row.manager),
  manager_transfers: row.manager_transfers,
  manager_frozen: row.manager_frozen,
  price_updatable: row.price_updatable,
  chain: chainOf(row.version),
  revealed_at: row.revealed_at,
  launched_at: row.launched_at || null,
  lifetime: row.lifetime,
  price: {
    base: row.base,
    coefficient: row.coefficient,
    nonalpha_discount: row.nonalpha_discount,
    no_vowel_discount: row.no_vowel_discount,
    buckets: row.buckets.map(String),
  },
  last_change: namespaceChange(row.change),
  tx_id: row.tx_id && toHex(row.tx_id),
  block_height: row.height,
});
