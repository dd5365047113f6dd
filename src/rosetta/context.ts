import type { Network } from '@cairn-stacks/codec/network';
import type { CallReadOnly } from '../node/read-only-call.ts';
import type { RpcCall, RpcResponse } from '../node/rpc.ts';
import type { InterfaceStore } from '../read/contracts/interfaces-queries.ts';
import type { ShownHash } from './block-identifier.ts';
import type { Bounds } from './transaction-parts.ts';

/** Data from the nodes behind the service. */
export type NodeView = {
  /** The height of a node; undefined if none responds. */
  tipHeight(): Promise<number | undefined>;
  /** Public key hashes of the neighbours of a node; empty if no node responds. */
  peers(): Promise<string[]>;
};

/** Dependencies of routes that read the index. */
export type RosettaContext = {
  network: Network;
  compat: boolean;
  /** Which hash identifies a block. Default: its block hash. */
  blockHash?: ShownHash | undefined;
  interfaces: InterfaceStore;
  /** Undefined if no node is configured. */
  nodes?: NodeView | undefined;
  callReadOnly?: CallReadOnly | undefined;
  /** Sends a call to the nodes; undefined if none has the answer or says that there is none. */
  askNode?: ((call: RpcCall) => Promise<RpcResponse | undefined>) | undefined;
  /** How many events one response shows; only tests set it. */
  bounds?: Bounds | undefined;
};
