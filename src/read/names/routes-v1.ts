import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { PrincipalParam, principalOf } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import { findAvailability } from './availability-view.ts';
import { findPrimaryName, listExpiring, listOwnedNames } from './lists-queries.ts';
import { changeCursor, changeKeyOf, cutPage, expiryCursor, expiryKeyOf } from './name-cursor-schema.ts';
import {
  Availability,
  ExpiringPage,
  NameChangePage,
  NameDetails,
  PrimaryName,
  renderExpiring,
  renderNameChange,
  renderNameDetails,
} from './name-details-schema.ts';
import { atBlock, NameParam, nameLimit } from './name-params.ts';
import { findName, listNameChanges } from './names-queries.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;
const nameParams = Type.Object({ name: NameParam });
const ownerParams = Type.Object({ principal: PrincipalParam });
const { at_block, asOfAt } = atBlock;
const limit = nameLimit;
const cursor = Type.Optional(
  Type.String({
    maxLength: 120,
    description: 'Start of the page: `next_cursor` of an earlier response. Without it the first page is returned.',
  }),
);

export const v1Names: FastifyPluginAsyncTypebox<RouteContext> = async (app, { tip }) => {
  app.get(
    '/extended/v1/names/:name',
    {
      config,
      schema: {
        operationId: 'get_name_details',
        summary: 'Get a name',
        description:
          'Returns owner, lease, sale price and zonefile hash of a BNS name, as of the tip or after `at_block`. A ' +
          'name that exists in both versions of BNS is shown in version 2. The status is 404 if the name was never ' +
          'registered.',
        tags,
        params: nameParams,
        querystring: Type.Object({ at_block }),
        response: { 200: NameDetails, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params: { name }, query }) => {
      const found = await findName(sql, name, asOfAt(query.at_block));
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
        summary: 'List the changes of a name',
        description:
          'Returns every change of a name with its transaction and the state after it, newest first. The list is ' +
          'empty for an unknown name.',
        tags,
        params: nameParams,
        querystring: Type.Object({ at_block, limit, cursor }),
        response: { 200: NameChangePage, 400: ErrorBody },
      },
    },
    async ({ sql, params: { name }, query: { limit = 50, cursor, at_block } }) => {
      const rows = await listNameChanges(sql, name, asOfAt(at_block), { before: changeKeyOf(cursor), limit });
      return cutPage(rows, limit, changeCursor, renderNameChange);
    },
  );

  app.get(
    '/extended/v1/names/:name/availability',
    {
      config,
      schema: {
        operationId: 'get_name_availability',
        summary: 'Check the availability of a name',
        description:
          'Returns whether a name can be registered now and its price. `reason` says why not; it is null if the name ' +
          'is available.',
        tags,
        params: Type.Object({
          name: Type.String({ maxLength: 512, description: 'A name with its namespace, such as `muneeb.btc`.' }),
        }),
        response: { 200: Availability },
      },
    },
    ({ sql, params }) => findAvailability(sql, params.name),
  );

  app.get(
    '/extended/v1/names/by-owner/:principal',
    {
      config,
      schema: {
        operationId: 'get_names_of_owner',
        summary: 'List the names of an account',
        description:
          'Returns the names that the account owns as of the tip or after `at_block`, in alphabetical order.',
        tags,
        params: ownerParams,
        querystring: Type.Object({ at_block, limit, cursor }),
        response: { 200: NameChangePage, 400: ErrorBody },
      },
    },
    async ({ sql, params: { principal }, query: { limit = 50, cursor, at_block } }) => {
      const rows = await listOwnedNames(sql, principalOf(principal), asOfAt(at_block), { after: cursor, limit });
      return cutPage(rows, limit, row => row.name, renderNameChange);
    },
  );

  app.get(
    '/extended/v1/names/by-owner/:principal/primary',
    {
      config,
      schema: {
        operationId: 'get_primary_name',
        summary: 'Get the primary name of an account',
        description:
          'Returns the primary name of version 2 or, if there is none, the name of version 1. `name` and `version` ' +
          'are null if the account has no name.',
        tags,
        params: ownerParams,
        querystring: Type.Object({ at_block }),
        response: { 200: PrimaryName, 400: ErrorBody },
      },
    },
    async ({ sql, params: { principal }, query }) => {
      const found = await findPrimaryName(sql, principalOf(principal), asOfAt(query.at_block));
      return { owner: principal, name: found?.name ?? null, version: found?.version ?? null };
    },
  );

  app.get(
    '/extended/v1/names/expiring',
    {
      config,
      schema: {
        operationId: 'get_expiring_names',
        summary: 'List the names that expire soon',
        description:
          'Returns the names whose lease ends within the next `within` blocks, soonest first. Version 1 counts ' +
          'Stacks blocks, version 2 counts burn blocks.',
        tags,
        querystring: Type.Object({
          version: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 2, default: 2, description: 'Version of the naming system (BNS).' }),
          ),
          within: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 1_000_000,
              default: 4320,
              description: 'Number of blocks to look ahead: Stacks blocks in version 1, burn blocks in version 2.',
            }),
          ),
          limit,
          cursor,
        }),
        response: { 200: ExpiringPage, 400: ErrorBody },
      },
    },
    async ({ sql, query: { version = 2, within = 4320, limit = 50, cursor } }) => {
      const height = Math.max(0, (version === 1 ? tip.current?.height : tip.current?.burnHeight) ?? 0);
      const range = { from: height, to: height + within };
      const page = { after: expiryKeyOf(cursor), limit };
      const rows = await listExpiring(sql, version === 1 ? 1 : 2, range, page);
      const chain = version === 1 ? ('stacks' as const) : ('burn' as const);
      return { chain, height, ...cutPage(rows, limit, expiryCursor, renderExpiring) };
    },
  );
};
