import type { Network } from '@cairn-stacks/codec/network';
import { mainnetPox, type PoxGeometry } from '../chain/pox/geometry.ts';
import { readPoxGeometry } from '../node/pox-geometry.ts';
import type { NodePool } from '../proxy/pool/node-pool.ts';
import { readFromPool } from './node-call.ts';

/** Reward-cycle boundaries of a network: constant for mainnet, else read from a node once. */
export function poxGeometryOf(network: Network, pool: NodePool): () => Promise<PoxGeometry | undefined> {
  let known = network.name === 'mainnet' ? mainnetPox : undefined;
  return async () => {
    known ??= await readFromPool(pool, { method: 'GET', path: '/v2/pox' }, ({ body }) =>
      readPoxGeometry(body.toString()),
    );
    return known;
  };
}
