import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Chainhook, ChainhookPage } from '../../chainhooks/chainhook-schema.ts';
import { readSecret, removeSecret, rotateSecret } from '../../chainhooks/consumer.ts';
import { Definition, DefinitionChange } from '../../chainhooks/definition-schema.ts';
import {
  change,
  enable,
  enableMany,
  evaluate,
  register,
  removeChainhook,
  showChainhook,
  showChainhooks,
} from '../../chainhooks/manage.ts';
import { Enabled, EnableMany, Evaluate, UuidParam } from '../../chainhooks/request-schema.ts';
import { serverVersion } from '../../config/version.ts';
import { ErrorBody } from '../../http/error-body.ts';
import type { ApiContext } from '../api-context.ts';
import { callerOf } from './access.ts';

const tags = ['Chainhooks'];
const LARGEST_BODY = 100_000;
const refusals = { '4XX': ErrorBody, '5XX': ErrorBody };
const done = { 204: Type.Null({ description: 'Done.' }), ...refusals };
const common = { bodyLimit: LARGEST_BODY, config: { cost: 5 } };

const Status = Type.Object(
  {
    server_version: Type.String({ description: 'Version of this service.' }),
    status: Type.Literal('ready'),
  },
  { title: 'ChainhooksStatus' },
);
const Secret = Type.Object(
  {
    secret: Type.Union([Type.String(), Type.Null()], {
      description: 'What requests have as `Authorization: Bearer SECRET`; null without one.',
    }),
  },
  { title: 'ChainhookSecret' },
);
const Updated = Type.Object(
  { updated_uuids: Type.Array(Type.String(), { description: 'Ids of the chainhooks that the filters name.' }) },
  { title: 'ChainhooksUpdated' },
);
const page = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 60, default: 20, description: 'Maximum number of results to return.' }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'Number of results to skip.' }),
  ),
});

/**
 * The routes of the hosted service of Chainhooks 2.0, where its client calls them, and below its documented prefix. Every owner of
 * a key sees its own chainhooks alone.
 */
export const serviceChainhooks: FastifyPluginAsyncTypebox<ApiContext> = async (app, context) => {
  await app.register(hooksAt('/chainhooks', false), context);
  await app.register(hooksAt('/chainhooks/v1', true), context);
  await app.register(secretAt('/chainhooks', false), context);
  await app.register(secretAt('/chainhooks/v1', true), context);
};

type Routes = (prefix: string, hide: boolean) => FastifyPluginAsyncTypebox<ApiContext>;

const hooksAt: Routes =
  (prefix, hide) =>
  async (app, { chainhooks: access }) => {
    const own = async ({ raw }: FastifyRequest) => await callerOf(raw, access);
    const shown = { tags, hide };
    // Each filter of a definition is judged by the schema of its type: that says more than that none of many fits.
    const judge = app.validatorCompiler;
    const judgedByHandler: typeof judge = route => (route.httpPart === 'body' ? () => true : judge!(route));

    app.get(
      prefix,
      {
        ...common,
        schema: {
          ...shown,
          operationId: 'get_chainhooks_status',
          summary: 'Get the status of chainhooks',
          description: 'Says that chainhooks can be managed with the key of the request.',
          response: { 200: Status, ...refusals },
        },
      },
      async request => {
        await own(request);
        return { server_version: serverVersion, status: 'ready' as const };
      },
    );

    app.get(
      `${prefix}/me`,
      {
        ...common,
        schema: {
          ...shown,
          operationId: 'get_chainhooks',
          summary: 'List the chainhooks of a key',
          description: 'Returns the chainhooks that the owner of the key has registered, oldest first.',
          querystring: page,
          response: { 200: ChainhookPage, ...refusals },
        },
      },
      async request => {
        const { admin, owner } = await own(request);
        const { limit = 20, offset = 0 } = request.query;
        return await showChainhooks(admin, owner, { limit, offset });
      },
    );

    app.post(
      `${prefix}/me`,
      {
        ...common,
        validatorCompiler: judgedByHandler,
        schema: {
          ...shown,
          operationId: 'register_chainhook',
          summary: 'Register a chainhook',
          description:
            'Stores a chainhook of version 2.0. It is disabled unless `enable_on_registration` is true, and begins with the next block. ' +
            'The status is 400 for a definition that cannot be used, and 409 if there are too many.',
          body: Definition,
          response: { 200: Chainhook, ...refusals },
        },
      },
      async request => {
        const { admin, owner } = await own(request);
        return await register(admin, owner, request.body);
      },
    );

    app.get(
      `${prefix}/me/:uuid`,
      {
        ...common,
        schema: {
          ...shown,
          operationId: 'get_chainhook',
          summary: 'Get a chainhook',
          description: 'Returns the definition of a chainhook and how far it is.',
          params: UuidParam,
          response: { 200: Chainhook, ...refusals },
        },
      },
      async request => {
        const { admin, owner } = await own(request);
        return await showChainhook(admin, owner, request.params.uuid);
      },
    );

    app.patch(
      `${prefix}/me/:uuid`,
      {
        ...common,
        validatorCompiler: judgedByHandler,
        schema: {
          ...shown,
          operationId: 'update_chainhook',
          summary: 'Change a chainhook',
          description:
            'Replaces the fields of the definition that are sent, each as a whole. The chainhook stays where it is.',
          params: UuidParam,
          body: DefinitionChange,
          response: { 200: Chainhook, ...refusals },
        },
      },
      async request => {
        const { admin, owner } = await own(request);
        return await change(admin, owner, request.params.uuid, request.body);
      },
    );

    app.delete(
      `${prefix}/me/:uuid`,
      {
        ...common,
        schema: {
          ...shown,
          operationId: 'delete_chainhook',
          summary: 'Delete a chainhook',
          description: 'Deletes a chainhook and what is due to it.',
          params: UuidParam,
          response: done,
        },
      },
      async (request, reply) => {
        const { admin, owner } = await own(request);
        await removeChainhook(admin, owner, request.params.uuid);
        return reply.code(204).send(null);
      },
    );

    app.patch(
      `${prefix}/me/:uuid/enabled`,
      {
        ...common,
        schema: {
          ...shown,
          operationId: 'enable_chainhook',
          summary: 'Enable or disable a chainhook',
          description:
            'Starts or stops a chainhook. One that was disabled or has expired goes on with the next block; one whose receiver failed ' +
            'goes on where it stood.',
          params: UuidParam,
          body: Enabled,
          response: done,
        },
      },
      async (request, reply) => {
        const { admin, owner } = await own(request);
        await enable(admin, owner, request.params.uuid, request.body.enabled);
        return reply.code(204).send(null);
      },
    );

    app.patch(
      `${prefix}/me/enabled`,
      {
        ...common,
        schema: {
          ...shown,
          operationId: 'enable_chainhooks',
          summary: 'Enable or disable many chainhooks',
          description: 'Starts or stops all chainhooks that the filters name; all fields of `filters` have to hold.',
          body: EnableMany,
          response: { 200: Updated, ...refusals },
        },
      },
      async request => {
        const { admin, owner } = await own(request);
        return { updated_uuids: await enableMany(admin, owner, request.body) };
      },
    );

    app.post(
      `${prefix}/me/:uuid/evaluate`,
      {
        ...common,
        schema: {
          ...shown,
          operationId: 'evaluate_chainhook',
          summary: 'Evaluate a block',
          description:
            'Has one block delivered, if it matches, after what is due; also to a chainhook that is disabled. The status is 404 for a ' +
            'block that is not on the chain, and 409 for a chainhook that has expired or was interrupted.',
          params: UuidParam,
          body: Evaluate,
          response: done,
        },
      },
      async (request, reply) => {
        const { admin, owner } = await own(request);
        await evaluate(admin, owner, request.params.uuid, request.body);
        return reply.code(204).send(null);
      },
    );
  };

const secretAt: Routes =
  (prefix, hide) =>
  async (app, { chainhooks: access }) => {
    const own = async ({ raw }: FastifyRequest) => await callerOf(raw, access);
    const shown = { tags, hide };

    app.get(
      `${prefix}/me/secret`,
      {
        ...common,
        schema: {
          ...shown,
          operationId: 'get_chainhooks_secret',
          summary: 'Get the secret of a key',
          description: 'Returns the secret that receivers of the owner are sent.',
          response: { 200: Secret, ...refusals },
        },
      },
      async request => {
        const { admin, owner } = await own(request);
        return { secret: await readSecret(admin.sql, admin.keys, owner) };
      },
    );

    app.post(
      `${prefix}/me/secret`,
      {
        ...common,
        schema: {
          ...shown,
          operationId: 'rotate_chainhooks_secret',
          summary: 'Make a new secret',
          description: 'Makes a secret for all chainhooks of the owner, in place of an earlier one.',
          response: { 200: Secret, ...refusals },
        },
      },
      async request => {
        const { admin, owner } = await own(request);
        return { secret: await rotateSecret(admin.sql, admin.keys, owner) };
      },
    );

    app.delete(
      `${prefix}/me/secret`,
      {
        ...common,
        schema: {
          ...shown,
          operationId: 'delete_chainhooks_secret',
          summary: 'Delete the secret of a key',
          description: 'Requests of the owner have no secret from now on.',
          response: done,
        },
      },
      async (request, reply) => {
        const { admin, owner } = await own(request);
        await removeSecret(admin.sql, admin.keys, owner);
        return reply.code(204).send(null);
      },
    );
  };
