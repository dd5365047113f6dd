import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { nameOperation } from '../../chain/names/bns-v1.ts';
import { expiryOf } from '../../chain/names/lease.ts';
import { zonefileText } from '../../chain/names/zonefile.ts';
import type { FoundName, NameRow } from './names-queries.ts';
import type { SubdomainRow } from './subdomains-queries.ts';

/** Errors of the naming system have one field. */
export const NameError = Type.Object(
  { error: Type.String({ description: 'What is wrong with the request.' }), message: Type.Optional(Type.String()) },
  { title: 'NameError', additionalProperties: true },
);

export const NameInfo = Type.Object(
  {
    address: Type.String({ description: 'Address of the owner.' }),
    blockchain: Type.Literal('stacks'),
    expire_block: Type.Optional(
      Type.Integer({
        description:
          'Last block of the lease: a Stacks block in version 1, a burn block in version 2. 0 if unknown. Absent for subdomains.',
      }),
    ),
    last_txid: Type.String({
      description: 'Id of the transaction of the last change; `0x` for names of the genesis block.',
    }),
    resolver: Type.Optional(
      Type.String({ description: 'URL of the resolver of a subdomain; absent if there is none.' }),
    ),
    status: Type.String({ description: 'Last operation on the name, or `registered_subdomain`.' }),
    zonefile: Type.Optional(
      Type.String({ description: 'Text of the zonefile; empty if there is none or no node has it yet.' }),
    ),
    zonefile_hash: Type.String({ description: 'Hash of the zonefile in hex, without `0x`.' }),
  },
  { title: 'NameInfo' },
);
export type NameInfo = Static<typeof NameInfo>;

export const Zonefile = Type.Object(
  { zonefile: Type.String({ description: 'Text of the zonefile.' }) },
  { title: 'Zonefile' },
);
export const NameArray = Type.Array(Type.String(), { title: 'NameArray' });
export const OwnedNames = Type.Object({ names: Type.Array(Type.String()) }, { title: 'OwnedNames' });
export const Namespaces = Type.Object({ namespaces: Type.Array(Type.String()) }, { title: 'Namespaces' });
export const Price = Type.Object(
  { units: Type.Literal('STX'), amount: Type.String({ description: 'Price in micro-STX.' }) },
  { title: 'NamePrice' },
);

const txIdOf = (txId: Buffer | null) => (txId ? toHex(txId) : '0x');

/** A name with an owner. */
export const renderNameInfo = (row: FoundName): NameInfo => ({
  address: row.owner ? principalFromBytes(row.owner) : '',
  blockchain: 'stacks',
  expire_block: expireBlock(row),
  last_txid: txIdOf(row.tx_id),
  status: nameOperation(row.status),
  zonefile: row.content ? zonefileText(row.content) : '',
  zonefile_hash: bareHex(row.zonefile_hash),
});

/** 0 where nothing is known of the namespace; names of version 1 that last for ever show when they were registered. */
function expireBlock(row: NameRow): number {
  const expiry = expiryOf({ leaseStart: row.lease_start, renewal: row.renewal }, termsOf(row));
  if (expiry === 'never') return row.version === 1 ? row.lease_start : 0;
  return Math.min(expiry ?? 0, Number.MAX_SAFE_INTEGER);
}

/** What the namespace of a row says of leases. */
export const termsOf = ({ lifetime, launched_at }: Pick<NameRow, 'lifetime' | 'launched_at'>) =>
  lifetime === null ? undefined : { lifetime, launchedAt: launched_at ?? 0 };

export const renderSubdomainInfo = (row: SubdomainRow): NameInfo => ({
  address: row.owner,
  blockchain: 'stacks',
  last_txid: txIdOf(row.tx_id),
  ...(row.resolver !== '' && { resolver: row.resolver }),
  status: 'registered_subdomain',
  zonefile: zonefileText(row.content),
  zonefile_hash: bareHex(row.zonefile_hash),
});
