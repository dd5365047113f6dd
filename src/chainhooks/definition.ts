import { addressNetwork, type Network } from '@cairn-stacks/codec/network';
import { badRequest } from '../errors.ts';
import { principalOf } from '../read/principals/principal-params.ts';
import { assetOf } from '../read/tokens/asset-params.ts';
import { checkedUrl } from '../webhooks/definition.ts';
import { type Definition, LooseChange, LooseDefinition } from './definition-schema.ts';
import { type Filter, filterSchemas } from './filter-schema.ts';
import { fitting } from './problem.ts';

/** What a definition is checked against. */
export type Surroundings = {
  network: Pick<Network, 'mainnet'> | undefined;
  /** Networks that are not public and may be sent to. */
  allow: readonly string[];
};

/** A definition of Chainhooks 2.0; 400 with what is wrong. */
export function readDefinition(body: unknown, surroundings: Surroundings): Definition {
  return checked(fitting(LooseDefinition, body), surroundings);
}

/** A definition with some fields changed; `filters` is replaced as a whole. */
export function changeDefinition(before: Definition, body: unknown, surroundings: Surroundings): Definition {
  return checked({ ...before, ...fitting(LooseChange, body) }, surroundings);
}

type Loose = Omit<Definition, 'filters'> & { filters: { events: { type: string }[] } };

function checked({ filters, ...rest }: Loose, { network, allow }: Surroundings): Definition {
  const own = network && addressNetwork(network);
  if (own !== undefined && rest.network !== own)
    throw badRequest(`network is ${rest.network}, but this service indexes ${own}`);
  const url = checkedUrl(rest.action.url, allow);
  const events = filters.events.map((event, i) => checkedFilter(event, `filters.events.${i}`));
  return { ...rest, action: { ...rest.action, url }, filters: { events } };
}

function checkedFilter(event: { type: string }, at: string): Filter {
  const { type } = event;
  if (!Object.hasOwn(filterSchemas, type))
    throw badRequest(`${at}.type is ${JSON.stringify(type)}: use one of ${Object.keys(filterSchemas).join(', ')}`);
  const filter: Filter = fitting(filterSchemas[type as Filter['type']], event, at);
  const { asset_identifier: asset, ...named } = filter as Record<string, string | undefined>;
  for (const field of ['sender', 'receiver', 'contract_identifier', 'principal']) {
    const text = named[field];
    if (text !== undefined) principalOf(text, `${at}.${field}: ${text} is not an account or a contract`);
  }
  if (asset !== undefined && !assetOf(asset))
    throw badRequest(`${at}.asset_identifier: ${asset} is not CONTRACT_ID::ASSET_NAME`);
  return filter;
}
