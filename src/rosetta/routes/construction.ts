import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import type { Network } from '@cairn-stacks/codec/network';
import { attempt } from '../construction/address.ts';
import type { ConstructionChain } from '../construction/chain.ts';
import { combine } from '../construction/combination.ts';
import { deriveAddress } from '../construction/derivation.ts';
import { readIntent } from '../construction/intent.ts';
import { makeMetadata } from '../construction/metadata.ts';
import { optionsOf } from '../construction/options.ts';
import { parseTransaction, readTransactionHex } from '../construction/parsed.ts';
import { makePayloads } from '../construction/payloads.ts';
import { RosettaError } from '../errors.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';
import {
  CombineRequest,
  CombineResponse,
  DeriveRequest,
  DeriveResponse,
  MetadataRequest,
  MetadataResponse,
  ParseRequest,
  ParseResponse,
  PayloadsRequest,
  PayloadsResponse,
  PreprocessRequest,
  PreprocessResponse,
  SignedTransactionRequest,
  TransactionHashResponse,
} from '../schemas/construction.ts';

type Options = { network: Network; compat: boolean };

/** Steps that need neither database nor node. */
export function constructionRoutes({ network, compat }: Options): RosettaRoute[] {
  return [
    rosettaRoute({
      path: '/construction/derive',
      operationId: 'rosetta_construction_derive',
      summary: 'Derive an address from a public key',
      description: 'Returns the address of the account with a single secp256k1 key. Works offline.',
      request: DeriveRequest,
      response: DeriveResponse,
      handler: ({ public_key }) => ({
        account_identifier: { address: deriveAddress(public_key, network, compat) },
      }),
    }),
    rosettaRoute({
      path: '/construction/preprocess',
      operationId: 'rosetta_construction_preprocess',
      summary: 'Preprocess operations',
      description: 'Returns the options that `/construction/metadata` takes for the operations. Works offline.',
      request: PreprocessRequest,
      response: PreprocessResponse,
      handler: request => {
        const intent = readIntent(request.operations, request, compat);
        const options = optionsOf(intent, request, network, compat);
        return { options, required_public_keys: [{ address: options.sender_address }] };
      },
    }),
    rosettaRoute({
      path: '/construction/payloads',
      operationId: 'rosetta_construction_payloads',
      summary: 'Create an unsigned transaction',
      description:
        'Returns the unsigned transaction of the operations and the payload that each of its keys signs. Works offline.',
      request: PayloadsRequest,
      response: PayloadsResponse,
      handler: request => makePayloads(request, { network, compat }),
    }),
    rosettaRoute({
      path: '/construction/combine',
      operationId: 'rosetta_construction_combine',
      summary: 'Combine a transaction and its signature',
      description:
        'Returns the signed transaction in hex, with one signature or, for an account of several keys, as many as it needs.',
      request: CombineRequest,
      response: CombineResponse,
      handler: ({ unsigned_transaction, signatures }) => ({
        signed_transaction: combine(unsigned_transaction, signatures, compat),
      }),
    }),
    rosettaRoute({
      path: '/construction/parse',
      operationId: 'rosetta_construction_parse',
      summary: 'Parse a transaction',
      description:
        'Returns the operations of a signed or unsigned transaction, and its signers if it is signed. Works ' +
        'offline.',
      request: ParseRequest,
      response: ParseResponse,
      handler: ({ transaction, signed }) => parseTransaction(transaction, signed, { network, compat }),
    }),
    rosettaRoute({
      path: '/construction/hash',
      operationId: 'rosetta_construction_hash',
      summary: 'Get the hash of a signed transaction',
      description: 'Returns the transaction id. Error 629 means that the transaction is not signed. Works offline.',
      request: SignedTransactionRequest,
      response: TransactionHashResponse,
      handler: ({ signed_transaction }) => {
        readHex(signed_transaction);
        const { id, signed } = readTransactionHex(signed_transaction, compat);
        if (!signed) throw new RosettaError(629);
        return { transaction_identifier: { hash: toHex(id) } };
      },
    }),
  ];
}

/** Steps that read the chain. */
export function constructionChainRoutes({
  network,
  compat,
  chain,
}: Options & { chain: ConstructionChain }): RosettaRoute[] {
  return [
    rosettaRoute({
      path: '/construction/metadata',
      operationId: 'rosetta_construction_metadata',
      summary: 'Get the metadata for a transaction',
      description:
        'Returns the nonce, the suggested fee (micro-STX) and the chain state that `/construction/payloads` needs.',
      request: MetadataRequest,
      response: MetadataResponse,
      handler: request => makeMetadata(request, { chain, network, compat }),
    }),
    rosettaRoute({
      path: '/construction/submit',
      operationId: 'rosetta_construction_submit',
      summary: 'Submit a signed transaction',
      description:
        'Sends the transaction to the nodes and returns its id. Error 628 says in `details.message` why the nodes ' +
        'rejected it.',
      request: SignedTransactionRequest,
      response: TransactionHashResponse,
      handler: async ({ signed_transaction }) => {
        const outcome = await chain.submit(readHex(signed_transaction));
        if ('refusal' in outcome) throw new RosettaError(628, outcome.refusal);
        return { transaction_identifier: { hash: outcome.txId } };
      },
    }),
  ];
}

function readHex(text: string): Uint8Array {
  const bytes = attempt(() => fromHex(text));
  if (!bytes) throw new RosettaError(628);
  return bytes;
}
