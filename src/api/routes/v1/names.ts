import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../../db/pool/snapshot.ts';
import { notFound } from '../../../errors.ts';
import { findPrimaryName, listExpiring, listOwnedNames } from '../../../queries/names/lists.ts';
import { findName, listNameChanges } from '../../../queries/names/names.ts';
import { ErrorBody } from '../../../schemas/error.ts';
import {
  Availability,
  ExpiringPage,
  NameChangePage,
  NameDetails,
  PrimaryName,
  renderExpiring,
  renderNameChange,
  renderNameDetails,
} from '../../../schemas/names/name-details.ts';
import { judgeAvailability } from '../../../views/names/availability.ts';
import { atBlock, NameParam, nameLimit } from '../../params/name.ts';
import { changeCursor, changeKeyOf, cutPage, expiryCursor, expiryKeyOf } from '../../params/name-cursor.ts';
import { PrincipalParam, principalOf } from '../../params/principal.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;
const nameParams = Type.Object({ name: NameParam });
const ownerParams = Type.Object({ principal: PrincipalParam });
const { at_block, momentAt } = atBlock;
const limit = nameLimit;
const cursor = Type.Optional(
  Type.String({ maxLength: 120, description: 'Where to go on, as an earlier answer said.' }),
);

export const v1Names: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, tip }) => {
  app.get(
    '/extended/v1/names/:name',
    {
      config,
      schema: {
        operationId: 'get_name_details',
        summary: 'A name of either version: owner, lease, listing and zonefile, now or at a block',
        tags,
        params: nameParams,
        querystring: Type.Object({ at_block }),
        response: { 200: NameDetails, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ params: { name }, query }) => {
      const found = await findName(sql, name, momentAt(query.at_block));
      if (!found) throw notFound(`cannot find name ${name}`);
      return renderNameDetails(found);
    },
  );

  app.get(
    '/extended/v1/names/:name/history',
    {
      config,
      schema: {
        operationId: 'get_name_history',
        summary: 'Every change of a name with its transaction and the state after it, the newest first',
        tags,
        params: nameParams,
        querystring: Type.Object({ at_block, limit, cursor }),
        response: { 200: NameChangePage, 400: ErrorBody },
      },
    },
    async ({ params: { name }, query: { limit = 50, cursor, at_block } }) => {
      const page = { before: changeKeyOf(cursor), limit };
      const rows = await listNameChanges(sql, name, momentAt(at_block), page);
      return cutPage(rows, limit, changeCursor, renderNameChange);
    },
  );

  app.get(
    '/extended/v1/names/:name/availability',
    {
      config,
      schema: {
        operationId: 'get_name_availability',
        summary: 'Whether a name can be registered, and what it costs',
        tags,
        params: Type.Object({ name: Type.String({ maxLength: 512, description: 'A name with its namespace.' }) }),
        response: { 200: Availability },
      },
    },
    async ({ params: { name } }) => await inSnapshot(sql, sql => judgeAvailability(sql, name)),
  );

  app.get(
    '/extended/v1/names/by-owner/:principal',
    {
      config,
      schema: {
        operationId: 'get_names_of_owner',
        summary: 'Names of an account, now or at a block',
        tags,
        params: ownerParams,
        querystring: Type.Object({ at_block, limit, cursor }),
        response: { 200: NameChangePage, 400: ErrorBody },
      },
    },
    async ({ params: { principal }, query: { limit = 50, cursor, at_block } }) => {
      const page = { after: cursor, limit };
      const rows = await listOwnedNames(sql, principalOf(principal), momentAt(at_block), page);
      return cutPage(rows, limit, row => row.name, renderNameChange);
    },
  );

  app.get(
    '/extended/v1/names/by-owner/:principal/primary',
    {
      config,
      schema: {
        operationId: 'get_primary_name',
        summary: 'The name that stands for an account',
        tags,
        params: ownerParams,
        querystring: Type.Object({ at_block }),
        response: { 200: PrimaryName, 400: ErrorBody },
      },
    },
    async ({ params: { principal }, query }) => {
      const found = await findPrimaryName(sql, principalOf(principal), momentAt(query.at_block));
      return { owner: principal, name: found?.name ?? null, version: found?.version ?? null };
    },
  );

  app.get(
    '/extended/v1/names/expiring',
    {
      config,
      schema: {
        operationId: 'get_expiring_names',
        summary: 'Names whose lease ends soon, the first to end first',
        tags,
        querystring: Type.Object({
          version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2, default: 2 })),
          within: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 1_000_000, default: 4320, description: 'Blocks to look ahead.' }),
          ),
          limit,
          cursor,
        }),
        response: { 200: ExpiringPage, 400: ErrorBody },
      },
    },
    async ({ query: { version = 2, within = 4320, limit = 50, cursor } }) => {
      const height = Math.max(0, (version === 1 ? tip.current?.height : tip.current?.burnHeight) ?? 0);
      const range = { from: height, to: height + within };
      const page = { after: expiryKeyOf(cursor), limit };
      const rows = await listExpiring(sql, version === 1 ? 1 : 2, range, page);
      const chain = version === 1 ? ('stacks' as const) : ('burn' as const);
      return { chain, height, ...cutPage(rows, limit, expiryCursor, renderExpiring) };
    },
  );
};
