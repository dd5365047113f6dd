import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false };
const Height = Type.Integer({ minimum: 0, maximum: 2_147_483_646 });
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const actions = (...names: string[]) =>
  Type.Array(Type.Enum(names), { minItems: 1, maxItems: names.length, uniqueItems: true });
const scope = <T extends string, P extends Record<string, Type.TSchema>>(name: T, fields: P) =>
  Type.Object({ scope: Type.Literal(name), ...fields }, closed);

/** Bytes of a regular expression; its program and its time grow with them. */
const MAX_PATTERN = 500;

/** Conditions of Chainhook 1.x by their fields; those of one scope have different fields. */
export const conditionSchemas = {
  block_height: [
    scope('block_height', { equals: Height }),
    scope('block_height', { higher_than: Height }),
    scope('block_height', { lower_than: Height }),
    scope('block_height', { between: Type.Array(Height, { minItems: 2, maxItems: 2 }) }),
  ],
  txid: [scope('txid', { equals: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }) })],
  contract_deployment: [scope('contract_deployment', { deployer: text(200) })],
  contract_call: [scope('contract_call', { contract_identifier: text(200), method: text(128) })],
  print_event: [
    scope('print_event', { contract_identifier: text(200), contains: text(1000) }),
    scope('print_event', { contract_identifier: text(200), matches_regex: text(MAX_PATTERN) }),
  ],
  ft_event: [scope('ft_event', { asset_identifier: text(350), actions: actions('mint', 'transfer', 'burn') })],
  nft_event: [scope('nft_event', { asset_identifier: text(350), actions: actions('mint', 'transfer', 'burn') })],
  stx_event: [scope('stx_event', { actions: actions('mint', 'transfer', 'burn', 'lock') })],
} as const;

type Conditions = typeof conditionSchemas;
export type Condition = { [K in keyof Conditions]: Static<Conditions[K][number]> }[keyof Conditions];

const HttpPost = Type.Object(
  {
    http_post: Type.Object(
      { url: text(2048), authorization_header: Type.String({ maxLength: 1000, pattern: '^[\\x20-\\x7e\\t]*$' }) },
      closed,
    ),
  },
  closed,
);

/** What a predicate says for one network. */
export const NetworkPredicate = Type.Object(
  {
    if_this: Type.Object({ scope: Type.String() }),
    then_that: HttpPost,
    start_block: Type.Optional(Height),
    end_block: Type.Optional(Height),
    blocks: Type.Optional(Type.Array(Height, { minItems: 1, maxItems: 1000 })),
    expire_after_occurrence: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
    decode_clarity_values: Type.Optional(Type.Boolean()),
    include_contract_abi: Type.Optional(Type.Boolean()),
    capture_all_events: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type NetworkPredicate = Static<typeof NetworkPredicate>;

/** A predicate of Chainhook 1.x; what it says for other networks is not read. */
export const Predicate = Type.Object(
  {
    uuid: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' }),
    owner_uuid: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
    name: text(200),
    version: Type.Literal(1),
    chain: Type.Literal('stacks'),
    networks: Type.Object(
      {
        mainnet: Type.Optional(Type.Unknown()),
        testnet: Type.Optional(Type.Unknown()),
        devnet: Type.Optional(Type.Unknown()),
        simnet: Type.Optional(Type.Unknown()),
      },
      closed,
    ),
  },
  closed,
);
export type Predicate = Static<typeof Predicate>;
