import { sha512_256 } from '@cairn-stacks/codec/hash';
import { bareHex } from '@cairn-stacks/codec/hex';
import { modelOf } from '../contracts/model-list.ts';
import { publishedOf, sourceKey } from '../contracts/user-contract.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import { notFound, type RpcRoute } from './route.ts';
import { blockAtTip } from './tip.ts';

/** Kinds of data in the keys of a node's storage. */
const storage = { map: 0, var: 1 } as const;

/** The storage key of a variable or map entry, from the key of the devnet: `CONTRACT var NAME`, `CONTRACT map NAME 0x…`. */
function storageKey(key: string): string | undefined {
  const [contract, kind, name, entry] = key.split(' ');
  if (kind !== 'var' && kind !== 'map') return undefined;
  return `vm::${contract}::${storage[kind]}::${name}${entry === undefined ? '' : `::${entry.slice(2)}`}`;
}

/** Values and metadata of contracts by the keys of a node's storage. */
export function clarityRoutes(node: DevnetNode): RpcRoute[] {
  return [
    {
      method: 'GET',
      path: /^\/v2\/clarity\/marf\/([0-9a-f]{64})$/,
      respond({ params: [hash], query }) {
        const tip = blockAtTip(node, query);
        if (!tip) return notFound('No such chain tip');
        for (const [key, data] of tip.state.data) {
          const stored = storageKey(key);
          if (stored === undefined || bareHex(sha512_256(Buffer.from(stored))) !== hash) continue;
          return { json: { data, ...(query.get('proof') !== '0' && { proof: '' }) } };
        }
        return notFound('Marf key hash not found');
      },
    },
    {
      method: 'GET',
      path: /^\/v2\/clarity\/metadata\/([^/]+)\/([^/]+)\/([^/]+)$/,
      respond({ params: [address, name, key], query }) {
        const tip = blockAtTip(node, query);
        if (!tip) return notFound('No such chain tip');
        const contract = `${address}.${name}`;
        const model = modelOf(tip.state, contract, node.network);
        if (!model) return notFound('No such contract');
        const source = tip.state.data.get(sourceKey(contract)) ?? model.source;
        const values: Record<string, string> = {
          'vm-metadata::9::contract-src': source,
          'vm-metadata::9::contract-size': String(source.length),
          'vm-metadata::9::clarity-version': publishedOf(tip.state, contract).clarityVersion,
        };
        const data = Object.hasOwn(values, key!) ? values[key!] : undefined;
        return data === undefined ? notFound('Metadata not found') : { json: { data } };
      },
    },
  ];
}
