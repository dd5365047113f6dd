import type { IncomingMessage } from 'node:http';
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { jsonOf } from '../cache/rendered-items.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { mainnetPox } from '../chain/pox/geometry.ts';
import type { Release } from '../compat/shape.ts';
import { plainReads, type Reads } from '../db/reads.ts';
import { COMMA_LIST, splitCommaLists } from '../http/comma-params.ts';
import { addErrorHandlers, describe } from '../http/errors.ts';
import { answerPreflight } from '../http/headers.ts';
import { HeightQueue } from '../http/height-queue.ts';
import { Backlog } from '../http/limits/backlog.ts';
import { ConnectionCounts } from '../http/limits/connection-counts.ts';
import type { RateGate } from '../http/limits/rate-limits.ts';
import { Refusals } from '../http/limits/refusals.ts';
import { Places } from '../http/places.ts';
import { Semaphore } from '../http/semaphore.ts';
import { takeMinHeight } from '../http/served-height.ts';
import { hasVersion9Keys, shapeOf } from '../http/shape.ts';
import { addStages } from '../http/stages.ts';
import { validateLazily } from '../http/validation/request-validation.ts';
import { checkResponses } from '../http/validation/response-check.ts';
import type { Log } from '../log.ts';
import { addAssetMetadata } from '../read/metadata/asset-metadata-view.ts';
import { addNames } from '../read/names/shown-names-view.ts';
import { addOffsetWalks } from '../read/pages/offset-walks.ts';
import type { ReadCaches } from '../read/read-caches.ts';
import { noConditions } from '../read/status/conditions-schema.ts';
import { type StreamLimits, Streams } from '../stream/streams.ts';
import type { ApiContext } from './api-context.ts';
import { collectOpenApi } from './docs/openapi.ts';
import { explorerPages, unknownPage } from './explorer/pages.ts';
import { explorerPictures, type ReadPicture } from './explorer/pictures.ts';
import { type Faucets, openFaucetAccess } from './faucets/access.ts';
import { type RouteFiles, routeFiles, serviceRouteFiles } from './routes.ts';

export type ApiOptions = Omit<
  ApiContext,
  'shapeOf' | 'hasVersion9Keys' | 'poxGeometry' | 'faucets' | 'limits' | 'readServers' | 'conditions' | 'streams'
> & {
  /** What this process knows about ingest that is not in the tables. */
  conditions?: ApiContext['conditions'];
  /** When cycles begin and end; read from a node except on mainnet. */
  poxGeometry?: ApiContext['poxGeometry'];
  /** The release that responses follow where a client requests none. */
  shape?: Release;
  log: Log;
  bodyLimit: number;
  /** Requests worked on at once; more get 503. */
  maxInFlight: number;
  /** Responses that are read from the database at once; more wait in a queue. */
  atOnce: number;
  /** Runs the reads of requests; by default they all use `pool` as it is. */
  reads?: Reads;
  /** How long a request waits for a height that its client has seen elsewhere, in milliseconds. */
  heightWaitMs?: number;
  /** Keeps responses until the chain changes. */
  responses: ResponseCache;
  deprecatedEndpoints: boolean;
  /** Called after every response: route as declared, method, status, seconds, request. */
  onResponse?: OnResponse;
  /** Refuses to send what does not match the declared schema; for tests. */
  strict?: boolean;
  /** Test money; an absent faucet responds with 403. */
  faucets?: Faucets;
  /** The streams of the process; without them few of its own. */
  streams?: Streams;
  /** Limits the rate of each client; without it nothing is limited. */
  rates?: RateGate;
  /** The RPC of the nodes behind the service; without it their paths are unknown. */
  nodes?: FastifyPluginAsync;
  /** Services whose paths are forwarded: own routes below their prefixes are left out. */
  forwarding?: { prefixes: readonly string[]; routes: FastifyPluginAsync };
  /** The Rosetta (Mesh) API; without it its paths are unknown. */
  rosetta?: FastifyPluginAsync;
  /** Reads pictures of tokens; without it pictures of other servers are not shown. */
  pictures?: ReadPicture;
  /** Further routes, for tests. */
  routes?: FastifyPluginAsyncTypebox;
  /** Called for each route with the file inside `src` that serves it. */
  onRoute?: (route: ServedRoute) => void;
};

/** A URL of the API and the file inside `src` that serves it. */
export type ServedRoute = { methods: string[]; url: string; file: string };

export type OnResponse = (
  route: string,
  method: string,
  status: number,
  seconds: number,
  request: IncomingMessage,
) => void;

/** Contract names, asset names and hashes in paths are longer than the router's default allows. */
const MAX_PARAM_LENGTH = 1024;
const HEIGHT_WAIT_MS = 2000;

export type Api = { app: FastifyInstance; responses: ResponseCache; caches: ReadCaches; streams: Streams };

/** Builds the whole API as one Fastify app that listens nowhere yet. */
export async function buildApi(options: ApiOptions): Promise<Api> {
  const app = Fastify({
    // A logger per request costs more than a cached response; errors are logged by the error handler.
    logger: false,
    bodyLimit: options.bodyLimit,
    rewriteUrl: takeMinHeight,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, _request, reply) => {
      const { status, body } = describe(error);
      // The types of this callback know no route, hence no reply that could be sent.
      (reply as unknown as FastifyReply).code(status).send(body);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(validateLazily([COMMA_LIST]));
  // Declared schemas describe and check; they do not rewrite what a render function returned.
  app.setSerializerCompiler(options.strict ? checkResponses : () => jsonOf);
  addErrorHandlers(app, options.log, options.explorer && unknownPage(options.explorer));
  answerPreflight(app);
  const { pool, tip, rates, maxInFlight, shape = '8', reads = plainReads(options.pool) } = options;
  const { heightWaitMs = HEIGHT_WAIT_MS } = options;
  addOffsetWalks(app as unknown as FastifyInstance);
  addStages(app, {
    ...{ tip, reads, rates, shape },
    cache: options.responses,
    semaphore: new Semaphore({ atOnce: options.atOnce, waiting: maxInFlight }),
    places: new Places(maxInFlight),
    heights: new HeightQueue({ tip, waitMs: heightWaitMs, maxWaiting: maxInFlight }),
    refusals: new Refusals(),
    deprecatedEndpoints: options.deprecatedEndpoints,
    addAssetMetadata: async (body, { sql, params }) => {
      const { token, asset_identifier = token } = params as { token?: string; asset_identifier?: string };
      return await addAssetMetadata(sql, body, asset_identifier);
    },
    addNames: (body, { sql }) => addNames(sql, body),
  });
  if (options.onResponse) reportResponses(app, options.onResponse);
  splitCommaLists(app);
  await collectOpenApi(app);

  const {
    caches,
    network,
    readyMaxLag,
    readiness = [],
    conditions = () => noConditions,
    callReadOnly,
    readNodeBlock,
    simulate,
    explorer,
    labels,
  } = options;
  const streams =
    options.streams ?? new Streams({ sql: pool, source: tip, limits: fewStreams(), heightWaitMs, log: options.log });
  const context: ApiContext = {
    pool,
    tip,
    caches,
    network,
    readyMaxLag,
    readiness,
    conditions,
    shapeOf: request => shapeOf(request, shape),
    hasVersion9Keys: request => hasVersion9Keys(request, shape),
    poxGeometry: options.poxGeometry ?? (async () => (network.name === 'mainnet' ? mainnetPox : undefined)),
    limits: () => ({ maxInFlight, bodyLimit: options.bodyLimit, rates: rates?.state }),
    readServers: () => reads.reports(),
    faucets: openFaucetAccess(network.mainnet, options.faucets ?? {}),
    streams,
    log: options.log,
    ...(callReadOnly && { callReadOnly }),
    ...(readNodeBlock && { readNodeBlock }),
    ...(simulate && { simulate }),
    ...(explorer && { explorer }),
    ...(labels && { labels }),
    chainhooks: options.chainhooks,
  };
  let file = '';
  const { onRoute } = options;
  if (onRoute) app.addHook('onRoute', ({ method, url }) => onRoute({ methods: [method].flat(), url, file }));
  const register = async (files: RouteFiles) => {
    for (const [path, plugin] of Object.entries(files)) {
      file = path;
      // Called as a function: a scope of Fastify for each file would cost more than its routes do.
      await plugin(app, context);
    }
  };
  await register(routeFiles);
  const { prefixes = [], routes: forwards } = options.forwarding ?? {};
  for (const [prefix, files] of Object.entries(serviceRouteFiles))
    if (!prefixes.includes(prefix)) await register(files);
  if (explorer) await app.register(explorerPages(explorer));
  if (explorer) await app.register(explorerPictures(options.pictures));
  if (forwards) await app.register(forwards);
  file = 'proxy/routes';
  if (options.nodes) await app.register(options.nodes);
  file = 'rosetta/data-routes';
  if (options.rosetta) await app.register(options.rosetta);
  if (options.routes) await app.register(options.routes);
  await app.ready();
  return { app: app as unknown as FastifyInstance, responses: options.responses, caches, streams };
}

/** Limits of streams where no settings are. */
const fewStreams = (): StreamLimits => ({
  maxConnections: 100,
  counts: new ConnectionCounts(100),
  backlog: new Backlog(16 << 20),
  clientOf: () => undefined,
});

/** Adds a hook to each route, so that no response has to look up its route. */
function reportResponses(app: FastifyInstance, onResponse: NonNullable<ApiOptions['onResponse']>): void {
  const report = (route: string) => (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    onResponse(route, request.method, reply.statusCode, reply.elapsedTime / 1000, request.raw);
    done();
  };
  const unknown = report('unknown');
  app.addHook('onRoute', route => {
    route.onResponse = [report(route.url), ...[route.onResponse ?? []].flat()];
  });
  app.addHook('onResponse', (request, reply, done) => (request.is404 ? unknown(request, reply, done) : done()));
}
