import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { renderPage } from '../pages/page-schema.ts';
import { addressShape } from '../principals/principal-pattern.ts';
import type { RouteContext } from '../route-context.ts';
import { bothPaths, LocaleParam, TokenContractParam } from './metadata-params.ts';
import { FtMetadata, FtMetadataPage, renderFt, renderFtBasic, TokenErrorBody } from './token-schema.ts';
import { findToken } from './token-view.ts';
import { listFungibleTokens } from './tokens-queries.ts';

const tags = ['Token metadata'];
const fungibleToken = 1n;

export const metadataFt: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  const list = {
    operationId: 'get_fungible_tokens',
    summary: 'List fungible tokens',
    description:
      'Returns the fungible tokens (SIP-010) by name or symbol. Filters are combined with AND. `total` counts all tokens ' +
      'that match. Also served as `/metadata/ft`.',
    tags,
    querystring: Type.Object({
      name: Type.Optional(Type.String({ maxLength: 128, description: 'A part of the name, in any case.' })),
      symbol: Type.Optional(Type.String({ maxLength: 128, description: 'The symbol, in any case.' })),
      address: Type.Optional(
        Type.String({
          pattern: `^${addressShape}`,
          maxLength: 256,
          description: 'The address of the deployer, or the beginning of a contract identifier.',
        }),
      ),
      valid_metadata_only: Type.Optional(
        Type.Boolean({ default: false, description: 'Only tokens that have SIP-016 metadata.' }),
      ),
      offset: Type.Optional(
        Type.Integer({
          ...{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
          description: 'Number of results to skip.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 60, default: 20, description: 'Maximum number of results to return.' }),
      ),
      order_by: Type.Optional(
        Type.Enum(['name', 'symbol'], { default: 'name', description: 'What the list is sorted by, in lower case.' }),
      ),
      order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'asc', description: 'Direction of the order.' })),
    }),
    response: { 200: FtMetadataPage, 400: ErrorBody },
  };
  for (const { url, hide } of bothPaths('/ft')) {
    app.get(url, { config: { freshness: 'content', cost: 3 }, schema: { ...list, hide } }, async ({ sql, query }) => {
      const filter = { ...query, validMetadataOnly: query.valid_metadata_only ?? false };
      const order = { by: query.order_by ?? 'name', descending: query.order === 'desc' };
      const page = { limit: query.limit ?? 20, offset: query.offset ?? 0 };
      return renderPage(page, await listFungibleTokens(sql, filter, order, page), renderFtBasic);
    });
  }

  const single = {
    operationId: 'get_ft_metadata',
    summary: 'Get the metadata of a fungible token',
    description:
      'Returns what the contract says about the token, and its SIP-016 metadata. The status is 422 if the contract was not ' +
      'called yet, if it could not be called, or if the locale is unknown. Also served as `/metadata/ft/{principal}`.',
    tags,
    params: Type.Object({ principal: TokenContractParam }),
    querystring: Type.Object({ locale: LocaleParam }),
    response: { 200: FtMetadata, 400: ErrorBody, 404: ErrorBody, 422: TokenErrorBody },
  };
  for (const { url, hide } of bothPaths('/ft/:principal')) {
    app.get(url, { config: { freshness: 'content' }, schema: { ...single, hide } }, ({ sql, params, query }) =>
      findToken(sql, params.principal, fungibleToken, query.locale, renderFt),
    );
  }
};
