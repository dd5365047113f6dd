import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { CursorList, cursorQuery } from '../../../../schemas/pages/cursor-list.ts';
import { SignerStaker, StakingSigner, StakingSignerDetail } from '../../../../schemas/staking/signer.ts';
import { findStakingSigner, listStakersOfSigner, listStakingSigners } from '../../../../views/staking/signers.ts';
import { loosePrincipalOf, WholePrincipalParam } from '../../../params/principal.ts';
import { principalPattern } from '../../../params/principal-cursor.ts';
import type { RouteContext } from '../../../route-context.ts';

const tags = ['Staking'];
const params = Type.Object({ principal: WholePrincipalParam });

export const v3StakingSigners: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, tip, shapeOf }) => {
  app.get(
    '/extended/v3/staking/signers',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_staking_signers',
        summary: 'Signer managers and their keys, in the order of their names',
        tags,
        querystring: Type.Object(cursorQuery(100, 250, principalPattern)),
        response: { 200: CursorList(StakingSigner, 'StakingSignerList') },
      },
    },
    ({ query: { limit = 100, cursor } }) => listStakingSigners(sql, { limit, cursor }),
  );

  app.get(
    '/extended/v3/staking/signers/:principal',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_staking_signer',
        summary: 'A signer manager with its registration',
        tags,
        params,
        response: { 200: StakingSignerDetail },
      },
    },
    async request => findStakingSigner(sql, loosePrincipalOf(request.params.principal), shapeOf(request)),
  );

  app.get(
    '/extended/v3/staking/signers/:principal/stakers',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_staking_signer_stakers',
        summary: 'Who stakes with a signer, in the order of their names',
        tags,
        params,
        querystring: Type.Object(cursorQuery(100, 200, principalPattern)),
        response: { 200: CursorList(SignerStaker, 'SignerStakerList') },
      },
    },
    async ({ params, query: { limit = 100, cursor } }) =>
      listStakersOfSigner(sql, loosePrincipalOf(params.principal), { limit, cursor }, tip.current?.burnHeight ?? 0),
  );
};
