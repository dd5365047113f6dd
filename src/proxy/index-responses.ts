import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { bootAddress, type Network } from '@cairn-stacks/codec/network';
import type { Tip } from '../cache/tip-queries.ts';
import { serverVersion } from '../config/version.ts';
import type { Sql } from '../db/client.ts';
import { notFound } from '../errors.ts';
import { findContract } from '../read/contracts/contracts-queries.ts';
import { findExecutedNonce } from '../read/principals/nonces-queries.ts';
import { findStxBalance } from '../read/principals/stx-balances-queries.ts';
import { renderNodeAccount } from './schemas/node-account.ts';
import { renderNodeSource } from './schemas/node-contract.ts';
import { renderIndexInfo } from './schemas/node-info.ts';

export type IndexContext = {
  sql: Sql;
  tip: { readonly current: Tip | undefined };
  network: Network;
  /** The last info of a node. */
  lastInfo(): Record<string, unknown> | undefined;
};

/** The response to a node request from the index; undefined if the index lacks the data. */
export async function respondFromIndex(path: string, query: URLSearchParams, context: IndexContext): Promise<unknown> {
  const [, , what, ...rest] = path.split('/');
  // A request about another tip cannot be served from the index.
  if (query.has('tip') && query.get('tip') !== 'latest') return undefined;
  const proofs = query.get('proof') !== '0';
  if (what === 'info') return infoOf(context);
  if (what === 'accounts' && rest.length === 1) return await accountOf(rest[0]!, proofs, context);
  const [kind, address, name] = rest;
  if (what !== 'contracts' || rest.length !== 3) return undefined;
  if (kind !== 'source' && kind !== 'interface') return undefined;
  return await contractOf(`${address}.${name}`, kind, proofs, context);
}

function infoOf({ tip, network, lastInfo }: IndexContext) {
  const { current } = tip;
  if (current === undefined || current.height < 0) return undefined;
  return renderIndexInfo(current, network, serverVersion, lastInfo());
}

async function accountOf(text: string, proofs: boolean, { sql, network }: IndexContext) {
  if (!isPrincipal(text)) return undefined;
  const principal = principalToBytes(text);
  const [balance, nonce] = await Promise.all([
    findStxBalance(sql, principal, 'tip'),
    findExecutedNonce(sql, principal, 'tip'),
  ]);
  // Undefined while the index is empty; a block between the two queries would mix two states.
  if (!balance || !nonce || balance.height !== nonce.height) return undefined;
  // What the chain does in the name of the boot address counts for clients of `nonces`, but not at a node.
  return renderNodeAccount(balance, text === bootAddress(network.mainnet) ? null : nonce.nonce, proofs);
}

async function contractOf(text: string, kind: 'source' | 'interface', proofs: boolean, { sql }: IndexContext) {
  if (!isPrincipal(text)) return undefined;
  const contract = await findContract(sql, principalToBytes(text));
  if (!contract) throw notFound(`No contract ${text} is known to the index`);
  if (kind === 'source') return renderNodeSource(contract, proofs);
  return contract.abi === '' ? undefined : (JSON.parse(contract.abi) as unknown);
}
