import { parseNetwork } from '@cairn-stacks/codec/network';
import type { Pool } from '../../src/db/client.ts';
import { InterfaceCache } from '../../src/read/contracts/interface-cache.ts';
import type { RosettaContext } from '../../src/rosetta/context.ts';
import { dataRoutes } from '../../src/rosetta/data-routes.ts';
import { type Ask, rosettaShell } from './rosetta.ts';

export type DataParts = Pick<RosettaContext, 'nodes' | 'callReadOnly' | 'askNode' | 'blockHash' | 'bounds'> & {
  compat?: boolean;
};

/** The data half of Rosetta on a database; every answer is held against its schema. */
export function rosettaData(sql: Pool, { compat = false, ...parts }: DataParts = {}): Ask {
  const network = parseNetwork('testnet')!;
  return rosettaShell(
    network,
    compat,
    dataRoutes({ network, compat, interfaces: new InterfaceCache(), ...parts }),
    sql,
  );
}
