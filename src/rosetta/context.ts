import type { Pool } from '../db/client.ts';
import type { Network } from '../network.ts';
import type { CallReadOnly } from '../node/read-only-call.ts';
import type { InterfaceStore } from '../queries/contracts/interfaces.ts';

/** What is asked of the nodes behind the service. */
export type NodeView = {
  /** The height of a node; undefined while none answers. */
  tipHeight(): Promise<number | undefined>;
  /** Public key hashes of the neighbours of a node; none where no node answers. */
  peers(): Promise<string[]>;
};

/** What routes that read the index have at hand. */
export type RosettaContext = {
  sql: Pool;
  network: Network;
  compat: boolean;
  interfaces: InterfaceStore;
  /** Absent where no node is set. */
  nodes?: NodeView | undefined;
  callReadOnly?: CallReadOnly | undefined;
};
