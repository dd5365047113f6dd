import { BitcoinNode } from '../bitcoin/bitcoin-node.ts';
import { BitcoinWorker } from '../bitcoin/bitcoin-worker.ts';
import { Emily } from '../bitcoin/emily.ts';
import { ANSWER_MS, type BitcoinSource } from '../bitcoin/source.ts';
import { NodeRpc, type RpcOptions } from '../node/rpc.ts';
import { addressGuard } from '../outbound/address-guard.ts';
import { guardedConnector, openNameResolver } from '../outbound/guarded-connector.ts';
import type { RunningDatabase } from './database.ts';
import { startTogether } from './lifecycle.ts';
import type { Start } from './start.ts';

const rpcOptions: RpcOptions = { connections: 1, timeoutMs: ANSWER_MS };

/** Starts asking about the Bitcoin side of sBTC, with connections of its own. Does nothing unless the settings name whom. */
export async function startBitcoin({ config, log, metrics }: Start, database: RunningDatabase) {
  return await startTogether(log, parts => {
    const { emilyUrl: emily, sbtcBitcoinRpc: node } = config;
    const sources: [string, BitcoinSource][] = [];
    if (emily) {
      // Emily belongs to somebody else: what her name leads to must be public. The Bitcoin node is the operator's.
      const guard = addressGuard(config.emilyAllowPrivate);
      const connect = guardedConnector(guard, openNameResolver([new URL(emily.url).hostname]));
      sources.push(['emily', new Emily(new NodeRpc({ ...emily, auth: undefined }, { ...rpcOptions, connect }))]);
    }
    if (node) sources.push(['node', new BitcoinNode(new NodeRpc({ ...node, auth: undefined }, rpcOptions))]);
    if (sources.length === 0) return {};
    const sql = parts.addPool('Bitcoin', database.url, { max: 2 });
    for (const [name, source] of sources) {
      const worker = new BitcoinWorker({
        ...{ sql, source, log: log.child({ part: 'Bitcoin' }) },
        onAnswer: result => metrics.bitcoinRequests.inc({ source: name, result }),
      });
      worker.start();
      parts.add(source.name, worker);
    }
    return {};
  });
}
