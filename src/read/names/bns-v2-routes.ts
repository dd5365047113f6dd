import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { PrincipalParam, principalOf } from '../principals/principal-params.ts';
import type { RouteContext } from '../route-context.ts';
import { listRegistrationBurns } from './bns-v2-queries.ts';
import {
  BnsV2NameFound,
  BnsV2Names,
  BnsV2Zonefile,
  bnsV2Status,
  type OwnedName,
  renderBnsV2Name,
  renderBnsV2Zonefile,
} from './bns-v2-schema.ts';
import { listOwnedNames } from './lists-queries.ts';
import { NameParam } from './name-params.ts';
import { type FoundName, findName } from './names-queries.ts';

const tags = ['Names'];
const config = { freshness: 'tip' } as const;
const nameParams = Type.Object({ name: NameParam });
/** More names than wallets show. */
const MAX_NAMES = 1_000;

/** Names of version 2 as wallets read them from a service of their own. */
export const bnsV2Names: FastifyPluginAsyncTypebox<RouteContext> = async (app, { tip }) => {
  const burnTip = () => tip.current?.burnHeight ?? 0;

  app.get(
    '/bns/v2/names/address/:principal/valid',
    {
      config,
      schema: {
        operationId: 'get_bns_v2_valid_names',
        summary: 'List the valid names of an account',
        description:
          'Returns the names of BNS version 2 that an account owns and that resolve, in alphabetical order, in the shape ' +
          'that wallets read. Of an account with more than 1,000 names the first 1,000 are looked at.',
        tags,
        params: Type.Object({ principal: PrincipalParam }),
        querystring: Type.Object({
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 50 })),
          offset: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_NAMES, default: 0 })),
        }),
        response: { 200: BnsV2Names, 400: ErrorBody },
      },
    },
    async ({ sql, params, query: { limit = 50, offset = 0 } }) => {
      const burnHeight = burnTip();
      const owner = principalOf(params.principal);
      const { valid, shown, burns } = await inSnapshot(sql, async sql => {
        const rows = await listOwnedNames(sql, owner, 'tip', { limit: MAX_NAMES });
        const valid = rows.filter(
          (row): row is OwnedName =>
            row.owner !== null && row.version === 2 && bnsV2Status(row, burnHeight) === 'active',
        );
        const shown = valid.slice(offset, offset + limit);
        return { valid, shown, burns: await burnsOf(sql, shown) };
      });
      return {
        total: valid.length,
        current_burn_block: burnHeight,
        limit,
        offset,
        names: shown.map((row, i) => renderBnsV2Name(row, burns[i]!)),
      };
    },
  );

  app.get(
    '/bns/v2/names/:name',
    {
      config,
      schema: {
        operationId: 'get_bns_v2_name',
        summary: 'Get a name of version 2',
        description:
          'Returns a name of BNS version 2 with its state, in the shape that wallets read. The status is 404 if version 2 ' +
          'has no such name, or it is burnt.',
        tags,
        params: nameParams,
        response: { 200: BnsV2NameFound, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params }) => {
      const burnHeight = burnTip();
      const { found, burns } = await inSnapshot(sql, async sql => {
        const found = await findOwned(sql, params.name);
        return { found, burns: await burnsOf(sql, [found]) };
      });
      const status = bnsV2Status(found, burnHeight);
      const data = { ...renderBnsV2Name(found, burns[0]!), imported_at: null, is_valid: status === 'active' };
      return { current_burn_block: burnHeight, status, data };
    },
  );

  app.get(
    '/bns/v2/resolve-name/:name',
    {
      config,
      schema: {
        operationId: 'resolve_bns_v2_name',
        summary: 'Resolve a name of version 2',
        description:
          'Returns the zonefile of a valid name of BNS version 2, in the shape that wallets read. Fields that the zonefile ' +
          'does not have are empty; the owner is then that of the name.',
        tags,
        params: nameParams,
        response: { 200: BnsV2Zonefile, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params: { name } }) => {
      const found = await findOwned(sql, name);
      if (bnsV2Status(found, burnTip()) !== 'active') throw notFound(`the name ${name} does not resolve`);
      return renderBnsV2Zonefile(found);
    },
  );
};

async function findOwned(sql: Sql, name: string): Promise<FoundName & { owner: Buffer }> {
  const found = await findName(sql, name, 'tip');
  if (!found?.owner || found.version !== 2) throw notFound(`cannot find name ${name} in version 2`);
  return found as FoundName & { owner: Buffer };
}

const burnsOf = (sql: Sql, rows: readonly { name: string }[]) =>
  listRegistrationBurns(
    sql,
    rows.map(({ name }) => name),
  );
