import { type Static, Type } from 'typebox';
import { Filter } from './filter-schema.ts';

const closed = { additionalProperties: false };
const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }));
const limit = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }));

/** Filters of one chainhook. */
const MAX_FILTERS = 50;

export const Options = Type.Object(
  {
    enable_on_registration: flag('Whether the chainhook begins at once; else it is created disabled.'),
    expire_after_evaluations: limit('Blocks after which it expires.'),
    expire_after_occurrences: limit('Deliveries after which it expires.'),
    decode_clarity_values: flag('Whether values have their text beside their bytes.'),
    include_contract_abi: flag('Whether deployments have the interface of the contract.'),
    include_contract_source_code: flag('Whether deployments have the source of the contract.'),
    include_post_conditions: flag('Whether transactions have their post-conditions.'),
    include_raw_transactions: flag('Whether transactions have their bytes.'),
    include_block_signatures: flag('Whether blocks have the signatures of the signers.'),
    include_block_metadata: flag('Whether blocks have their burn block, costs and counts.'),
  },
  { ...closed, title: 'ChainhookOptions' },
);
export type Options = Static<typeof Options>;

const Action = Type.Object(
  {
    type: Type.Literal('http_post'),
    url: Type.String({ minLength: 1, maxLength: 2048, description: 'URL that is called.' }),
  },
  { ...closed, title: 'ChainhookAction' },
);

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200, description: 'Any name.' }),
  version: Type.Literal('1'),
  chain: Type.Literal('stacks'),
  network: Type.Enum(['mainnet', 'testnet'], { description: 'The network of this service.' }),
  options: Type.Optional(Type.Union([Options, Type.Null()])),
  action: Action,
};
const Filters = Type.Object(
  { events: Type.Array(Filter, { minItems: 1, maxItems: MAX_FILTERS, description: 'One of them has to match.' }) },
  { ...closed, title: 'ChainhookFilters' },
);
// Each filter is checked by the schema of its type, which says more than that none of many fits.
const AnyFilters = Type.Object(
  { events: Type.Array(Type.Object({ type: Type.String() }), { minItems: 1, maxItems: MAX_FILTERS }) },
  closed,
);

/** A definition of Chainhooks 2.0. */
export const Definition = Type.Object({ ...fields, filters: Filters }, { ...closed, title: 'ChainhookDefinition' });
export type Definition = Static<typeof Definition>;

/** A change of some fields. */
export const DefinitionChange = Type.Partial(Type.Object({ ...fields, filters: Filters }, closed), {
  ...closed,
  title: 'ChainhookDefinitionChange',
});

/** A definition, and a change of one, whose filters are not looked into. */
export const LooseDefinition = Type.Object({ ...fields, filters: AnyFilters }, closed);
export const LooseChange = Type.Partial(LooseDefinition, closed);
