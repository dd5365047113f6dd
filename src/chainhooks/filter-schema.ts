import { type Static, Type } from 'typebox';
import { namedContractPattern, namedContractShape, principalShape } from '../read/principals/principal-pattern.ts';
import { assetNameShape } from '../read/tokens/asset-params.ts';

const closed = { additionalProperties: false };

const Principal = Type.String({ pattern: `^${principalShape}$`, description: 'An account or a contract.' });
const sender = { sender: Type.Optional(Principal) };
const receiver = { receiver: Type.Optional(Principal) };
const contract = {
  contract_identifier: Type.Optional(Type.String({ pattern: namedContractPattern, description: 'A contract.' })),
};
const asset = {
  asset_identifier: Type.Optional(
    Type.String({
      pattern: `^${namedContractShape}::${assetNameShape}$`,
      description: 'An asset: `CONTRACT_ID::ASSET_NAME`.',
    }),
  ),
};
const value = {
  value: Type.Optional(
    Type.Union([Type.Integer(), Type.String({ minLength: 1, maxLength: 1000 })], {
      description: 'Id of the token: a number, or a Clarity value such as `u123`.',
    }),
  ),
};

/** A filter of one type; it has nothing but the fields of its type. */
const filter = <T extends string, P extends Record<string, Type.TSchema>>(type: T, fields: P) =>
  Type.Object({ type: Type.Literal(type), ...fields }, closed);

/** The filters of Chainhooks 2.0 by their type. */
export const filterSchemas = {
  ft_event: filter('ft_event', asset),
  ft_transfer: filter('ft_transfer', { ...asset, ...sender, ...receiver }),
  ft_mint: filter('ft_mint', { ...asset, ...receiver }),
  ft_burn: filter('ft_burn', { ...asset, ...sender }),
  nft_event: filter('nft_event', { ...asset, ...value }),
  nft_transfer: filter('nft_transfer', { ...asset, ...value, ...sender, ...receiver }),
  nft_mint: filter('nft_mint', { ...asset, ...value, ...receiver }),
  nft_burn: filter('nft_burn', { ...asset, ...value, ...sender }),
  stx_event: filter('stx_event', {}),
  stx_transfer: filter('stx_transfer', { ...sender, ...receiver }),
  stx_mint: filter('stx_mint', receiver),
  stx_burn: filter('stx_burn', sender),
  contract_deploy: filter('contract_deploy', { ...contract, ...sender }),
  contract_call: filter('contract_call', {
    ...contract,
    function_name: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'A function.' })),
    ...sender,
  }),
  contract_log: filter('contract_log', { ...contract, ...sender }),
  coinbase: filter('coinbase', {}),
  tenure_change: filter('tenure_change', { cause: Type.Optional(Type.Enum(['block_found', 'extended'])) }),
  balance_change: filter('balance_change', { principal: Principal }),
} as const;

export type Filter = {
  [K in keyof typeof filterSchemas]: Static<(typeof filterSchemas)[K]>;
}[keyof typeof filterSchemas];
export const Filter = Type.Unsafe<Filter>(
  Type.Union(Object.values(filterSchemas) as Type.TSchema[], { title: 'ChainhookFilter' }),
);
