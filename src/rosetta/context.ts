import type { Network } from '@cairn-stacks/codec/network';
import type { CallReadOnly } from '../node/read-only-call.ts';
import type { InterfaceStore } from '../read/contracts/interfaces-queries.ts';
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
  interfaces: InterfaceStore;
  /** Undefined if no node is configured. */
  nodes?: NodeView | undefined;
  callReadOnly?: CallReadOnly | undefined;
  /** How many events one response shows; only tests set it. */
  bounds?: Bounds | undefined;
};
