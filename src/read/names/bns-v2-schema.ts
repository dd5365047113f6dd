import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { type Static, Type } from 'typebox';
import { leaseState } from '../../chain/names/lease.ts';
import { zonefileText } from '../../chain/names/zonefile.ts';
import { expiryIn } from './name-details-schema.ts';
import type { FoundName, NameRow } from './names-queries.ts';

/** Names of version 2 in the shapes that wallets read; heights and amounts are texts there. */

const heightText = (description: string) => Type.String({ pattern: '^[0-9]+$', description });

const name = {
  full_name: Type.String({ description: 'The name with its namespace.' }),
  name_string: Type.String({ description: 'The name without its namespace.' }),
  namespace_string: Type.String({ description: 'The namespace.' }),
  owner: Type.String({ description: 'Address of the owner.' }),
  registered_at: heightText('Height of the burn block at which the lease began.'),
  renewal_height: heightText('Height of the burn block at which the lease ends; 0 if it never does.'),
  stx_burn: heightText('Micro-STX that the transaction burnt which registered the name; 0 if an earlier one did.'),
  revoked: Type.Boolean({ description: 'Whether the name is revoked.' }),
};

export const BnsV2Names = Type.Object(
  {
    total: Type.Integer({ description: 'Number of names; counted up to 1,000.' }),
    current_burn_block: Type.Integer({ description: 'Height of the burn block of the tip.' }),
    limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
    offset: Type.Integer({ description: 'Number of results that were skipped.' }),
    names: Type.Array(Type.Object(name, { title: 'BnsV2Name' })),
  },
  { title: 'BnsV2Names' },
);

export const BnsV2NameFound = Type.Object(
  {
    current_burn_block: Type.Integer({ description: 'Height of the burn block of the tip.' }),
    status: Type.Enum(['active', 'grace', 'expired', 'revoked']),
    data: Type.Object({
      ...name,
      imported_at: Type.Union([Type.String(), Type.Null()], {
        description: 'Always null: events do not tell imports apart.',
      }),
      is_valid: Type.Boolean({ description: 'Whether the name resolves.' }),
    }),
  },
  { title: 'BnsV2NameFound' },
);

const text = Type.String();
export const BnsV2Zonefile = Type.Object(
  {
    zonefile: Type.Object({
      owner: text,
      general: text,
      twitter: text,
      url: text,
      nostr: text,
      lightning: text,
      btc: text,
      subdomains: Type.Array(text),
    }),
  },
  { title: 'BnsV2Zonefile' },
);

/** A name of version 2 with an owner. */
export type OwnedName = NameRow & { owner: Buffer };

export function renderBnsV2Name(row: OwnedName, burnt: string): Static<typeof BnsV2Names>['names'][number] {
  const { namespace } = row;
  return {
    full_name: row.name,
    name_string: row.name.slice(0, -1 - namespace.length),
    namespace_string: namespace,
    owner: principalFromBytes(row.owner),
    registered_at: String(row.lease_start),
    renewal_height: String(expiryIn(row).height ?? 0),
    stx_burn: burnt,
    revoked: row.revoked,
  };
}

/** The state of a name at a burn block. */
export function bnsV2Status(row: NameRow, burnHeight: number): Static<typeof BnsV2NameFound>['status'] {
  if (row.revoked) return 'revoked';
  const { never, height } = expiryIn(row);
  return leaseState(never ? 'never' : (height ?? undefined), burnHeight);
}

const FIELDS = ['general', 'twitter', 'url', 'nostr', 'lightning', 'btc'] as const;

/** The fields of a zonefile that is JSON; of any other zonefile, the owner alone. */
export function renderBnsV2Zonefile({ content, owner }: FoundName & { owner: Buffer }): Static<typeof BnsV2Zonefile> {
  const written = content ? parsed(zonefileText(content)) : {};
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  const { subdomains } = written;
  const names = Array.isArray(subdomains)
    ? subdomains.map(each =>
        textOf(typeof each === 'object' && each !== null ? (each as { name?: unknown }).name : each),
      )
    : [];
  const [general, twitter, url, nostr, lightning, btc] = FIELDS.map(field => textOf(written[field])) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    zonefile: {
      owner: textOf(written.owner) || principalFromBytes(owner),
      ...{ general, twitter, url, nostr, lightning, btc },
      subdomains: names.filter(each => each !== ''),
    },
  };
}

/** Zonefiles are written by strangers, in any format. */
function parsed(zonefile: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(zonefile);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
