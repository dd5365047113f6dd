import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { mainnetPox, type PoxGeometry } from '../chain/pox-geometry.ts';
import type { Pool } from '../db/client.ts';
import type { Log } from '../log.ts';
import type { Network } from '../network.ts';
import type { CallReadOnly } from '../node/read-only-call.ts';
import type { Release, Shape } from '../schemas/shape.ts';
import { AnswerCache } from './answer-cache.ts';
import { checkAnswers } from './answer-check.ts';
import { keepAnswers } from './answers.ts';
import { markIncomplete } from './completeness.ts';
import { addErrorHandlers, describe } from './errors.ts';
import { addHeaders, markDeprecated } from './headers.ts';
import type { ReadinessCheck } from './health.ts';
import { limitInFlight } from './limits.ts';
import { splitCommaLists } from './lists.ts';
import { COMMA_LIST, collectOpenApi } from './openapi.ts';
import { jsonOf, Pieces } from './pieces.ts';
import { refuseStrangeValues } from './plain-values.ts';
import { limitRates, type RateGate } from './rate-limits.ts';
import { blockTransactionRoutes } from './routes/block-transactions.ts';
import { blockRoutes } from './routes/blocks.ts';
import { blockV1Routes } from './routes/blocks-v1.ts';
import { burnBlockRoutes } from './routes/burn-blocks.ts';
import { burnchainRoutes } from './routes/burnchain.ts';
import { contractRoutes } from './routes/contracts.ts';
import { docsRoutes } from './routes/docs.ts';
import { type Faucets, faucetRoutes } from './routes/faucets.ts';
import { mempoolRoutes } from './routes/mempool.ts';
import { microblockRoutes } from './routes/microblocks.ts';
import { nameDetailRoutes } from './routes/name-details.ts';
import { namePriceRoutes } from './routes/name-prices.ts';
import { nameRoutes } from './routes/names.ts';
import { poxRoutes } from './routes/pox.ts';
import { principalRoutes } from './routes/principals.ts';
import { smartContractRoutes } from './routes/smart-contracts.ts';
import { stakingRoutes } from './routes/staking.ts';
import { statusRoutes } from './routes/status.ts';
import { auditRoutes } from './routes/status-audit.ts';
import { transactionDiagnosisRoutes } from './routes/transaction-diagnosis.ts';
import { transactionEventRoutes } from './routes/transaction-events.ts';
import { transactionRoutes } from './routes/transactions.ts';
import { v3Routes } from './routes/v3.ts';
import { hasVersion9Keys, shapeOf } from './shape.ts';
import type { TipSource } from './tip-cache.ts';
import { Turns } from './turns.ts';

/** What routes get as plugin options. */
export type RouteContext = {
  /** Answers questions; refuses writes. */
  sql: Pool;
  tip: TipSource;
  /** Rendered parts that come again in other answers. */
  pieces: Pieces;
  network: Network;
  readyMaxLag: number;
  /** Further reasons why the service may not be ready. */
  readiness?: readonly ReadinessCheck[];
  /** The release of the third version whose shapes the answer to a request has. */
  shapeOf: (request: FastifyRequest) => Shape;
  /** Whether the answer to a request has the keys that version 9 added to routes of the first two versions. */
  hasVersion9Keys: (request: FastifyRequest) => boolean;
  /** Asks contracts through a node; absent where there is none. */
  callReadOnly?: CallReadOnly;
  /** When cycles begin and end; undefined while no node has told. */
  poxGeometry: () => Promise<PoxGeometry | undefined>;
};

export type ApiOptions = Omit<RouteContext, 'pieces' | 'shapeOf' | 'hasVersion9Keys' | 'poxGeometry'> & {
  /** When cycles begin and end; asked of a node but for mainnet. */
  poxGeometry?: RouteContext['poxGeometry'];
  /** What clients get that ask for no release. */
  shape?: Release;
  log: Log;
  bodyLimit: number;
  /** Requests worked on at once; more get 503. */
  maxInFlight: number;
  /** Answers that are read from the database at once; more wait for their turn. */
  atOnce: number;
  cacheBytes: number;
  piecesBytes: number;
  deprecatedEndpoints: boolean;
  /** Told of every answer: route as declared, method, status, seconds. */
  onAnswer?: (route: string, method: string, status: number, seconds: number) => void;
  /** Refuses to send what does not match the declared schema; for tests. */
  strict?: boolean;
  /** Gifts of test money; those that are absent answer 403. */
  faucets?: Faucets;
  /** Judges how much each client asks for; without it nothing is limited. */
  rates?: RateGate;
  /** The RPC of the nodes behind the service; without it their paths are unknown. */
  nodes?: FastifyPluginAsync;
  /** The Rosetta (Mesh) API; without it its paths are unknown. */
  rosetta?: FastifyPluginAsync;
  /** More routes beside our own; for tests. */
  routes?: FastifyPluginAsyncTypebox;
};

/** Contract names, asset names and hashes in paths are longer than the router's default allows. */
const MAX_PARAM_LENGTH = 1024;

export type Api = { app: FastifyInstance; answers: AnswerCache; pieces: Pieces };

/** Builds the whole API as one Fastify app that listens nowhere yet. */
export async function buildApi(options: ApiOptions): Promise<Api> {
  const app = Fastify({
    // A logger per request costs more than a cached answer; errors are logged by the error handler.
    logger: false,
    bodyLimit: options.bodyLimit,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    ajv: { customOptions: { keywords: [COMMA_LIST] } },
    frameworkErrors: (error, _request, reply) => {
      const { status, body } = describe(error);
      // The types of this callback know no route, hence no reply that could be sent.
      (reply as unknown as FastifyReply).code(status).send(body);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  const answers = new AnswerCache(options.cacheBytes);
  const pieces = new Pieces(options.piecesBytes);

  // Declared schemas describe and check; they do not rewrite what a render function returned.
  app.setSerializerCompiler(options.strict ? checkAnswers : () => jsonOf);
  addErrorHandlers(app, options.log);
  addHeaders(app);
  if (options.rates) limitRates(app, options.rates);
  if (options.onAnswer) reportAnswers(app, options.onAnswer);
  splitCommaLists(app);
  refuseStrangeValues(app);
  keepAnswers(app, {
    cache: answers,
    tip: options.tip,
    shape: options.shape ?? '8',
    turns: new Turns({ atOnce: options.atOnce, waiting: options.maxInFlight }),
  });
  markIncomplete(app, options.tip);
  markDeprecated(app, options.deprecatedEndpoints);
  limitInFlight(app, options.maxInFlight);
  await collectOpenApi(app);

  const { sql, tip, network, readyMaxLag, readiness = [], callReadOnly } = options;
  const context: RouteContext = {
    sql,
    tip,
    pieces,
    network,
    readyMaxLag,
    readiness,
    shapeOf: request => shapeOf(request, options.shape ?? '8'),
    hasVersion9Keys: request => hasVersion9Keys(request, options.shape ?? '8'),
    poxGeometry: options.poxGeometry ?? (async () => (network.name === 'mainnet' ? mainnetPox : undefined)),
    ...(callReadOnly && { callReadOnly }),
  };
  await app.register(statusRoutes, context);
  await app.register(auditRoutes, context);
  await app.register(principalRoutes, context);
  await app.register(poxRoutes, context);
  await app.register(stakingRoutes, context);
  await app.register(v3Routes, context);
  await app.register(blockRoutes, context);
  await app.register(blockV1Routes, context);
  await app.register(burnBlockRoutes, context);
  await app.register(burnchainRoutes, context);
  await app.register(mempoolRoutes, context);
  await app.register(contractRoutes, context);
  await app.register(smartContractRoutes, context);
  await app.register(microblockRoutes, context);
  await app.register(transactionRoutes, context);
  await app.register(transactionEventRoutes, context);
  await app.register(transactionDiagnosisRoutes, context);
  await app.register(blockTransactionRoutes, context);
  await app.register(nameRoutes, context);
  await app.register(nameDetailRoutes, context);
  await app.register(namePriceRoutes, context);
  await app.register(faucetRoutes, { ...context, faucets: options.faucets ?? {} });
  if (options.nodes) await app.register(options.nodes);
  if (options.rosetta) await app.register(options.rosetta);
  await app.register(docsRoutes);
  if (options.routes) await app.register(options.routes);
  await app.ready();
  return { app: app as unknown as FastifyInstance, answers, pieces };
}

/** Watches each route apart, so that an answer costs no search for its route. */
function reportAnswers(app: FastifyInstance, onAnswer: NonNullable<ApiOptions['onAnswer']>): void {
  const report = (route: string) => (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    onAnswer(route, request.method, reply.statusCode, reply.elapsedTime / 1000);
    done();
  };
  const unknown = report('unknown');
  app.addHook('onRoute', route => {
    route.onResponse = [report(route.url), ...[route.onResponse ?? []].flat()];
  });
  app.addHook('onResponse', (request, reply, done) => (request.is404 ? unknown(request, reply, done) : done()));
}
