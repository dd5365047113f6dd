import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';
import { bothPaths, LocaleParam, TokenContractParam, TokenNumberParam } from './metadata-params.ts';
import { NftMetadata, renderNft, TokenErrorBody } from './token-schema.ts';
import { findToken } from './token-view.ts';

export const metadataNft: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  const schema = {
    operationId: 'get_nft_metadata',
    summary: 'Get the metadata of a non-fungible token',
    description:
      'Returns what the contract says about the token, and its SIP-016 metadata. The status is 422 if the contract was not ' +
      'called yet, if it could not be called, or if the locale is unknown. Also served as ' +
      '`/metadata/nft/{principal}/{token_id}`.',
    tags: ['Token metadata'],
    params: Type.Object({ principal: TokenContractParam, token_id: TokenNumberParam }),
    querystring: Type.Object({ locale: LocaleParam }),
    response: { 200: NftMetadata, 400: ErrorBody, 404: ErrorBody, 422: TokenErrorBody },
  };
  for (const { url, hide } of bothPaths('/nft/:principal/:token_id')) {
    app.get(url, { config: { freshness: 'content' }, schema: { ...schema, hide } }, ({ sql, params, query }) =>
      findToken(sql, params.principal, BigInt(params.token_id), query.locale, renderNft),
    );
  }
};
