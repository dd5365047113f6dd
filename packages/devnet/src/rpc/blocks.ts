import { fromHex } from '@cairn-stacks/codec/hex';
import type { BlockRecord } from '../chain/stored/block-record.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import { notFound, type RpcRoute } from './route.ts';

/** Blocks as bytes and as replay results. */
export function blockRoutes(node: DevnetNode): RpcRoute[] {
  const byId = (id = '') => node.record(`0x${id}`);
  const raw = (record: BlockRecord | undefined) =>
    record?.bytes === undefined ? notFound('No such block') : { bytes: fromHex(record.bytes) };
  return [
    {
      method: 'GET',
      path: /^\/v3\/blocks\/height\/(\d+)$/,
      respond({ params: [height] }) {
        for (const block of node.canonical()) {
          if (block.height === Number(height)) return raw(node.record(block.id));
          if (block.height < Number(height)) break;
        }
        return raw(undefined);
      },
    },
    {
      method: 'GET',
      path: /^\/v3\/blocks\/replay\/(?:0x)?([0-9a-f]{64})$/,
      respond({ params: [id] }) {
        const replay = byId(id)?.replay;
        return replay ? { json: replay } : notFound('No such block');
      },
    },
    { method: 'GET', path: /^\/v3\/blocks\/(?:0x)?([0-9a-f]{64})$/, respond: ({ params: [id] }) => raw(byId(id)) },
  ];
}
