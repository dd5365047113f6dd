import { parseNetwork } from '@cairn-stacks/codec/network';
import type { Pool } from '../../src/db/client.ts';
import type { CallReadOnly } from '../../src/node/read-only-call.ts';
import { InterfaceCache } from '../../src/read/contracts/interface-cache.ts';
import type { NodeView } from '../../src/rosetta/context.ts';
import { dataRoutes } from '../../src/rosetta/data-routes.ts';
import type { Bounds } from '../../src/rosetta/transaction-parts.ts';
import { type Ask, rosettaShell } from './rosetta.ts';

export type DataParts = { nodes?: NodeView; callReadOnly?: CallReadOnly; compat?: boolean; bounds?: Bounds };

/** The data half of Rosetta on a database; every answer is held against its schema. */
export function rosettaData(sql: Pool, { nodes, callReadOnly, compat = false, bounds }: DataParts = {}): Ask {
  const network = parseNetwork('testnet')!;
  return rosettaShell(
    network,
    compat,
    dataRoutes({ network, compat, interfaces: new InterfaceCache(), nodes, callReadOnly, bounds }),
    sql,
  );
}
