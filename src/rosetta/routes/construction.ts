import { fromHex, toHex } from '../../codec/hex.ts';
import type { Network } from '../../network.ts';
import {
  CombineAnswer,
  CombineRequest,
  DeriveAnswer,
  DeriveRequest,
  MetadataAnswer,
  MetadataRequest,
  ParseAnswer,
  ParseRequest,
  PayloadsAnswer,
  PayloadsRequest,
  PreprocessAnswer,
  PreprocessRequest,
  SignedTransactionRequest,
  TransactionHashAnswer,
} from '../../schemas/rosetta/construction.ts';
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

type Options = { network: Network; compat: boolean };

/** Steps that need neither database nor node. */
export function constructionRoutes({ network, compat }: Options): RosettaRoute[] {
  return [
    rosettaRoute({
      path: '/construction/derive',
      operationId: 'rosetta_construction_derive',
      summary: 'Address of a public key',
      request: DeriveRequest,
      response: DeriveAnswer,
      handler: ({ public_key }) => ({
        account_identifier: { address: deriveAddress(public_key, network, compat) },
      }),
    }),
    rosettaRoute({
      path: '/construction/preprocess',
      operationId: 'rosetta_construction_preprocess',
      summary: 'Read operations into the options of metadata',
      request: PreprocessRequest,
      response: PreprocessAnswer,
      handler: request => {
        const options = optionsOf(readIntent(request.operations), request, network, compat);
        return { options, required_public_keys: [{ address: options.sender_address }] };
      },
    }),
    rosettaRoute({
      path: '/construction/payloads',
      operationId: 'rosetta_construction_payloads',
      summary: 'Unsigned transaction of operations, and what to sign',
      request: PayloadsRequest,
      response: PayloadsAnswer,
      handler: request => makePayloads(request, network),
    }),
    rosettaRoute({
      path: '/construction/combine',
      operationId: 'rosetta_construction_combine',
      summary: 'Put a signature into a transaction',
      request: CombineRequest,
      response: CombineAnswer,
      handler: ({ unsigned_transaction, signatures }) => ({
        signed_transaction: combine(unsigned_transaction, signatures),
      }),
    }),
    rosettaRoute({
      path: '/construction/parse',
      operationId: 'rosetta_construction_parse',
      summary: 'Operations of a transaction, signed or not',
      request: ParseRequest,
      response: ParseAnswer,
      handler: ({ transaction, signed }) => parseTransaction(transaction, signed, { network, compat }),
    }),
    rosettaRoute({
      path: '/construction/hash',
      operationId: 'rosetta_construction_hash',
      summary: 'Id of a signed transaction',
      request: SignedTransactionRequest,
      response: TransactionHashAnswer,
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
      summary: 'Nonce, fee and state of the chain for a transaction',
      request: MetadataRequest,
      response: MetadataAnswer,
      handler: ({ options }) => makeMetadata(options, { chain, network, compat }),
    }),
    rosettaRoute({
      path: '/construction/submit',
      operationId: 'rosetta_construction_submit',
      summary: 'Send a signed transaction to the network',
      request: SignedTransactionRequest,
      response: TransactionHashAnswer,
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
