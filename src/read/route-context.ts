import type { Network } from '@cairn-stacks/codec/network';
import type { FastifyRequest } from 'fastify';
import type { TipSource } from '../cache/tip-cache.ts';
import type { PoxGeometry } from '../chain/pox/geometry.ts';
import type { Shape } from '../compat/shape.ts';
import type { Pool } from '../db/client.ts';
import type { ReadServerReport } from '../db/reads.ts';
import type { RequestLimits } from '../http/limits/limits-schema.ts';
import type { CallReadOnly } from '../node/read-only-call.ts';
import type { SimulateTransaction } from '../node/simulation.ts';
import type { Labels } from './names/labels.ts';
import type { ReadCaches } from './read-caches.ts';
import type { IngestConditions } from './status/conditions-schema.ts';
import type { ReadinessCheck } from './status/health.ts';
import type { ReadNodeBlock } from './transactions/proof-view.ts';

/** The plugin options of every route. */
export type RouteContext = {
  /** Read-only connections for what belongs to no request: a handler reads with the `sql` of its request. */
  pool: Pool;
  tip: TipSource;
  /** The caches that pages are filled from. */
  caches: ReadCaches;
  network: Network;
  readyMaxLag: number;
  /** What the operator calls principals; nobody has a label by default. */
  labels?: Labels;
  /** Further reasons why the service may not be ready. */
  readiness?: readonly ReadinessCheck[];
  /** What this process knows about ingest that is not in the tables. */
  conditions: () => IngestConditions;
  /** The release of the third version whose shapes a response has. */
  shapeOf: (request: FastifyRequest) => Shape;
  /** Whether the response to a request has the keys that version 9 added to routes of versions 1 and 2. */
  hasVersion9Keys: (request: FastifyRequest) => boolean;
  /** Calls read-only functions through a node; absent without a node. */
  callReadOnly?: CallReadOnly;
  /** Reads the bytes of a block from a node; absent without a node. */
  readNodeBlock?: ReadNodeBlock | undefined;
  /** Lets a node execute a transaction without keeping the result; absent without a node. */
  simulate?: SimulateTransaction | undefined;
  /** When reward cycles begin and end; undefined until a node has reported it. */
  poxGeometry: () => Promise<PoxGeometry | undefined>;
  /** The limits of requests, and what they refused since the start. */
  limits: () => RequestLimits;
  /** The servers that responses are read from. */
  readServers: () => ReadServerReport[];
};
