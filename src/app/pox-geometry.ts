import { mainnetPox, type PoxGeometry } from '../chain/pox/geometry.ts';
import type { Network } from '../network.ts';
import { readPoxGeometry } from '../node/pox-geometry.ts';
import type { NodePool } from '../proxy/pool/node-pool.ts';
import { readFromPool } from './node-ask.ts';

/** When cycles of a network begin and end: known of mainnet, else asked of a node until one has told. */
export function poxGeometryOf(network: Network, pool: NodePool): () => Promise<PoxGeometry | undefined> {
  let known = network.name === 'mainnet' ? mainnetPox : undefined;
  return async () => {
    known ??= await readFromPool(pool, { method: 'GET', path: '/v2/pox' }, ({ body }) =>
      readPoxGeometry(body.toString()),
    );
    return known;
  };
}
