import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import { type TokenClass, tokenClasses } from '../../chain/tokens/token-notification.ts';
import { tokenUriOf } from '../../chain/tokens/token-values.ts';
import { Page } from '../pages/page-schema.ts';
import type { StoredMetadata, TokenRow } from './tokens-queries.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

const Attribute = Type.Object(
  {
    trait_type: Type.String({ description: 'Name of the trait.' }),
    value: Type.Unknown({ description: 'Value of the trait: text, a number or any other JSON.' }),
    display_type: text('How the value should be displayed, such as `number` or `date`.'),
  },
  { title: 'TokenMetadataAttribute' },
);

const Metadata = Type.Object(
  {
    sip: Type.Integer({ description: 'Always 16: the SIP that describes the document.' }),
    name: text('Name of the token. Absent if the document has none.'),
    description: text('Description of the token.'),
    image: text('Image URI as the document has it; may use `ipfs`, `ar` or `data`.'),
    cached_image: text(
      'URL of the image, resolved through the configured gateways. Images are neither stored nor proxied.',
    ),
    cached_thumbnail_image: text('The same URL as `cached_image`.'),
    attributes: Type.Optional(Type.Array(Attribute, { description: 'Traits of the token.' })),
    properties: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Other properties of the token.' }),
    ),
    localization: Type.Optional(
      Type.Object(
        {
          uri: Type.String({ description: 'URI of the localized documents, with `{locale}`.' }),
          default: Type.String({ description: 'Locale of the main document.' }),
          locales: Type.Array(Type.String(), { description: 'All locales that the document names.' }),
        },
        { title: 'TokenMetadataLocalization' },
      ),
    ),
  },
  { title: 'TokenMetadata', description: 'Metadata of a token as of SIP-016.' },
);

const MetadataError = Type.Object(
  {
    code: Type.String({ description: 'A stable code, such as `metadata_invalid` or `contract_call_failed`.' }),
    message: Type.String({ description: 'What went wrong.' }),
    retry_at: text('Time of the next try by age, as UTC text. Absent while tries are repeated at short intervals.'),
  },
  { title: 'TokenMetadataError', description: 'Why something about the token is unknown.' },
);

const chain = {
  token_uri: text('URI of the metadata as the contract names it, with `{id}` replaced.'),
  decimals: Type.Optional(Type.Integer({ description: 'Number of decimals, from the contract.' })),
  total_supply: text('Total supply in the smallest unit, from the contract.'),
};

const named = {
  name: text('Name of the token, from the contract.'),
  symbol: text('Symbol of the token, from the contract.'),
  ...chain,
  description: text('Description, from the metadata.'),
  image_uri: text('URL of the image, resolved through the configured gateways.'),
  image_thumbnail_uri: text('The same URL as `image_uri`.'),
  image_canonical_uri: text('Image URI as the metadata have it.'),
};

const deployed = {
  tx_id: Type.String({ description: 'Transaction that deployed the contract.' }),
  sender_address: Type.String({ description: 'Address that deployed the contract.' }),
};

const asset_identifier = Type.String({
  description: '`CONTRACT_ID::ASSET_NAME` of the first fungible token of the contract.',
});
const metadata = Type.Optional(Metadata);
const metadata_error = Type.Optional(MetadataError);

export const FtMetadata = Type.Object(
  { ...named, ...deployed, asset_identifier, metadata, metadata_error },
  { title: 'FungibleTokenMetadata' },
);
const FtBasicMetadata = Type.Object(
  { ...named, ...deployed, asset_identifier, contract_principal: Type.String({ description: 'Contract identifier.' }) },
  { title: 'FungibleTokenBasicMetadata' },
);
export const FtMetadataPage = Page(FtBasicMetadata, 'FungibleTokenMetadataPage');
export const NftMetadata = Type.Object(
  { token_uri: chain.token_uri, metadata, metadata_error },
  { title: 'NonFungibleTokenMetadata' },
);
export const SftMetadata = Type.Object({ ...chain, metadata, metadata_error }, { title: 'SemiFungibleTokenMetadata' });
export const FoundMetadata = Type.Object(
  {
    contract_id: Type.String({ description: 'Contract identifier.' }),
    token_number: Type.Integer({ description: 'Number of the token; 1 for a fungible token.' }),
    token_type: Type.Enum(['ft', 'nft', 'sft'], { description: 'Class of the token.' }),
    ...named,
    ...deployed,
  },
  { title: 'FoundTokenMetadata' },
);
export const MetadataStatus = Type.Object(
  {
    server_version: Type.String({ description: 'Name and version of the service.' }),
    status: Type.String({ description: 'Always `ready`.' }),
    chain_tip: Type.Union(
      [
        Type.Object({
          block_height: Type.Integer({ description: 'Height of the block.' }),
          index_block_hash: Type.String({ description: 'Index block hash.' }),
        }),
        Type.Null(),
      ],
      { description: 'The last block that was searched for tokens; null before the first.' },
    ),
  },
  { title: 'TokenMetadataStatus' },
);
export const TokenErrorBody = Type.Object(
  {
    error: Type.String({ description: 'The kind of error.' }),
    message: text('What is wrong with the token.'),
    metadata_error,
  },
  { title: 'TokenMetadataFailure' },
);

/** An object without its keys whose value is null or undefined. */
function known<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

function renderMetadata(stored: StoredMetadata): Static<typeof Metadata> {
  const { name, description, image, imageUrl, attributes, properties, localization } = stored;
  return {
    sip: 16,
    ...known({
      name,
      description,
      image,
      cached_image: imageUrl,
      cached_thumbnail_image: imageUrl,
      attributes: attributes?.length ? attributes : undefined,
      properties: properties && Object.keys(properties).length > 0 ? properties : undefined,
      localization,
    }),
  };
}

/** Why something about the token is unknown; undefined if nothing is. */
export function renderMetadataError(row: TokenRow): Static<typeof MetadataError> | undefined {
  if (row.error_code === null) return undefined;
  return {
    code: row.error_code,
    message: row.error_message ?? '',
    ...(row.refresh_at && { retry_at: row.refresh_at.toISOString() }),
  };
}

const extras = (row: TokenRow) =>
  known({
    metadata: row.metadata && renderMetadata(row.metadata),
    metadata_error: renderMetadataError(row),
  });

const renderChain = ({ uri, number, decimals, supply }: TokenRow) =>
  known({ token_uri: uri === null ? null : tokenUriOf(uri, BigInt(number)), decimals, total_supply: supply });

function renderNamed(row: TokenRow) {
  const { name, symbol, metadata } = row;
  return {
    ...known({ name, symbol }),
    ...renderChain(row),
    ...known({
      description: metadata?.description,
      image_uri: metadata?.imageUrl,
      image_thumbnail_uri: metadata?.imageUrl,
      image_canonical_uri: metadata?.image,
    }),
  };
}

const renderDeployed = ({ tx_id, principal }: TokenRow) => ({
  tx_id: toHex(tx_id),
  sender_address: principal.slice(0, principal.indexOf('.')),
});

const assetOf = ({ principal, asset }: TokenRow) => `${principal}::${asset ?? ''}`;

export const renderFt = (row: TokenRow): Static<typeof FtMetadata> => ({
  ...renderNamed(row),
  ...renderDeployed(row),
  asset_identifier: assetOf(row),
  ...extras(row),
});

export const renderFtBasic = (row: TokenRow): Static<typeof FtBasicMetadata> => ({
  ...renderNamed(row),
  ...renderDeployed(row),
  asset_identifier: assetOf(row),
  contract_principal: row.principal,
});

export const renderNft = (row: TokenRow): Static<typeof NftMetadata> => {
  const { token_uri } = renderChain(row);
  return { ...known({ token_uri }), ...extras(row) };
};

export const renderSft = (row: TokenRow): Static<typeof SftMetadata> => ({ ...renderChain(row), ...extras(row) });

const classNames = new Map<number, TokenClass>(
  Object.entries(tokenClasses).map(([name, code]) => [code, name as TokenClass]),
);

export const renderFound = (row: TokenRow): Static<typeof FoundMetadata> => ({
  contract_id: row.principal,
  token_number: Number(row.number),
  token_type: classNames.get(row.class)!,
  ...renderNamed(row),
  ...renderDeployed(row),
});
