import { bareHex } from '@cairn-stacks/codec/hex';
import { transactionId } from '@cairn-stacks/codec/transaction/transaction';
import type { DevnetNode } from '@cairn-stacks/devnet/node/devnet-node';
import { simulation } from '@cairn-stacks/devnet/rpc/simulation';
import { readSimulation, type SimulateTransaction } from '../../src/node/simulation.ts';

/** Simulates with a devnet, without a connection; signatures are checked only if the devnet signs. */
export const simulatorOf =
  (node: DevnetNode): SimulateTransaction =>
  async raw => {
    const said = simulation(node, Buffer.from(JSON.stringify({ transaction_hex: bareHex(raw) })));
    if ('text' in said) return { node: 'devnet', refused: said.text };
    if (!('json' in said)) throw new Error('a simulation is JSON');
    const body = Buffer.from(JSON.stringify(said.json));
    return { node: 'devnet', height: node.tip.height, simulation: readSimulation(body, transactionId(raw)) };
  };
