import { formatPrincipal, type Principal } from '@cairn-stacks/codec/address/principal';
import { encodeMicroblockHeader } from '@cairn-stacks/codec/block/microblock-header';
import { functionSignature } from '@cairn-stacks/codec/clarity/abi';
import { argumentsJson } from '@cairn-stacks/codec/clarity/json';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { TENURE_CAUSES } from '@cairn-stacks/codec/transaction/tenure-change';
import { type Static, Type } from 'typebox';
import type { ContractFunctions } from '../contracts/interfaces-queries.ts';
import { knownValues } from '../pages/known-values.ts';

const TokenTransfer = Type.Object(
  {
    recipient_address: Type.String({ description: 'Principal that receives the STX.' }),
    amount: Type.String({ description: 'Amount in micro-STX.' }),
    memo: Type.String({ description: 'Memo: 34 bytes in hex.' }),
  },
  { title: 'TokenTransfer' },
);

const ContractCall = Type.Object(
  {
    contract_id: Type.String({ description: 'Contract identifier: `ADDRESS.NAME`.' }),
    function_name: Type.String({ description: 'Name of the called function.' }),
    function_signature: Type.String({
      description: 'Signature of the function; empty if the interface of the contract is unknown.',
    }),
    function_args: Type.Optional(
      Type.Array(Type.Object({ hex: Type.String(), repr: Type.String(), name: Type.String(), type: Type.String() }), {
        description: 'Arguments; absent if there are none or with `exclude_function_args`.',
      }),
    ),
  },
  { title: 'ContractCall' },
);

const SmartContractPayload = Type.Object(
  {
    clarity_version: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Declared Clarity version; null if the transaction declares none.',
    }),
    contract_id: Type.String({ description: 'Contract identifier: `ADDRESS.NAME`.' }),
    source_code: Type.String({ description: 'Source code of the contract.' }),
  },
  { title: 'SmartContractPayload' },
);

const CoinbasePayload = Type.Object(
  {
    data: Type.String({ description: 'Coinbase buffer: 32 bytes in hex.' }),
    alt_recipient: Type.Union([Type.String(), Type.Null()], {
      description: 'Principal that receives the reward instead of the sender; null if there is none.',
    }),
    vrf_proof: Type.Optional(Type.String({ description: 'VRF proof in hex; absent before Nakamoto.' })),
  },
  { title: 'CoinbasePayload' },
);

export const TenureCause = knownValues(TENURE_CAUSES, 'Cause of the tenure change.');

export const TenureChangePayload = Type.Object(
  {
    tenure_consensus_hash: Type.String(),
    prev_tenure_consensus_hash: Type.String(),
    burn_view_consensus_hash: Type.String(),
    previous_tenure_end: Type.String({ description: 'Index block hash of the last block of the previous tenure.' }),
    previous_tenure_blocks: Type.Integer({ description: 'Number of blocks of the previous tenure.' }),
    cause: TenureCause,
    pubkey_hash: Type.String({ description: 'Hash of the public key of the miner.' }),
  },
  { title: 'TenureChangePayload' },
);

const PoisonMicroblock = Type.Object(
  { microblock_header_1: Type.String(), microblock_header_2: Type.String() },
  { title: 'PoisonMicroblock' },
);

export const UnknownPayload = Type.Object(
  {
    type_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Byte of the payload type; null if the bytes before it could not be read.',
    }),
    hex: Type.String({ description: 'Bytes in hex, from the first one that could not be decoded.' }),
  },
  { title: 'UnknownPayload', description: 'Payload of a transaction type that this version does not know.' },
);

/** The fields of each transaction type in addition to the common ones. */
export const payloadFields = {
  token_transfer: { tx_type: Type.Literal('token_transfer'), token_transfer: TokenTransfer },
  contract_call: { tx_type: Type.Literal('contract_call'), contract_call: ContractCall },
  smart_contract: { tx_type: Type.Literal('smart_contract'), smart_contract: SmartContractPayload },
  coinbase: { tx_type: Type.Literal('coinbase'), coinbase_payload: CoinbasePayload },
  tenure_change: { tx_type: Type.Literal('tenure_change'), tenure_change_payload: TenureChangePayload },
  poison_microblock: { tx_type: Type.Literal('poison_microblock'), poison_microblock: PoisonMicroblock },
  unknown: { tx_type: Type.Literal('unknown'), unknown_payload: UnknownPayload },
} as const;

export type PayloadFields =
  | { tx_type: 'token_transfer'; token_transfer: Static<typeof TokenTransfer> }
  | { tx_type: 'contract_call'; contract_call: Static<typeof ContractCall> }
  | { tx_type: 'smart_contract'; smart_contract: Static<typeof SmartContractPayload> }
  | { tx_type: 'coinbase'; coinbase_payload: Static<typeof CoinbasePayload> }
  | { tx_type: 'tenure_change'; tenure_change_payload: Static<typeof TenureChangePayload> }
  | { tx_type: 'poison_microblock'; poison_microblock: Static<typeof PoisonMicroblock> }
  | { tx_type: 'unknown'; unknown_payload: Static<typeof UnknownPayload> };

export type PayloadOptions = {
  /** The functions of the contract that is called, where they are known. */
  functions?: ContractFunctions | undefined;
  excludeFunctionArgs?: boolean | undefined;
};

/** What a transaction of this origin does, in the words of the API. */
export function renderPayload(payload: Payload, origin: Principal, options: PayloadOptions): PayloadFields {
  switch (payload.type) {
    case 'token_transfer': {
      const { recipient, amount, memo } = payload;
      return {
        tx_type: 'token_transfer',
        token_transfer: {
          recipient_address: formatPrincipal(recipient),
          amount: amount.toString(),
          memo: toHex(memo),
        },
      };
    }
    case 'contract_call': {
      const { contract, functionName, args } = payload;
      return renderCall(formatPrincipal(contract), functionName, args, options);
    }
    case 'smart_contract':
    case 'versioned_smart_contract':
      return {
        tx_type: 'smart_contract',
        smart_contract: {
          clarity_version: payload.type === 'smart_contract' ? null : payload.clarityVersion,
          contract_id: formatPrincipal({ ...origin, name: payload.name }),
          source_code: sourceText(payload.source),
        },
      };
    case 'coinbase':
    case 'coinbase_to_alt_recipient':
    case 'nakamoto_coinbase':
      return renderCoinbase(payload);
    case 'tenure_change':
      return {
        tx_type: 'tenure_change',
        tenure_change_payload: {
          tenure_consensus_hash: toHex(payload.tenureConsensusHash),
          prev_tenure_consensus_hash: toHex(payload.previousTenureConsensusHash),
          burn_view_consensus_hash: toHex(payload.burnViewConsensusHash),
          previous_tenure_end: toHex(payload.previousTenureEnd),
          previous_tenure_blocks: payload.previousTenureBlocks,
          cause: payload.cause,
          pubkey_hash: toHex(payload.publicKeyHash),
        },
      };
    case 'unknown':
      return {
        tx_type: 'unknown',
        unknown_payload: { type_id: payload.id < 0 ? null : payload.id, hex: toHex(payload.bytes) },
      };
    case 'poison_microblock':
      return {
        tx_type: 'poison_microblock',
        poison_microblock: {
          microblock_header_1: toHex(encodeMicroblockHeader(payload.header1)),
          microblock_header_2: toHex(encodeMicroblockHeader(payload.header2)),
        },
      };
  }
}

/** The source of a contract; NUL, which only broken ones hold, is left out of responses. */
export const sourceText = (source: Uint8Array): string => Buffer.from(source).toString('utf8').replaceAll('\0', '');

/** A call with its serialized arguments, named by the interface of the contract where it is known. */
export function renderCall(
  contractId: string,
  functionName: string,
  args: readonly Uint8Array[],
  { functions, excludeFunctionArgs }: PayloadOptions,
): PayloadFields {
  const abi = functions?.get(functionName);
  return {
    tx_type: 'contract_call',
    contract_call: {
      contract_id: contractId,
      function_name: functionName,
      function_signature: abi ? functionSignature(abi) : '',
      ...(!excludeFunctionArgs && { function_args: argumentsJson(args, abi) }),
    },
  };
}

type Coinbase = Extract<Payload, { type: 'coinbase' | 'coinbase_to_alt_recipient' | 'nakamoto_coinbase' }>;

function renderCoinbase(payload: Coinbase): PayloadFields {
  const recipient = 'recipient' in payload ? payload.recipient : undefined;
  return {
    tx_type: 'coinbase',
    coinbase_payload: {
      data: toHex(payload.data),
      alt_recipient: recipient ? formatPrincipal(recipient) : null,
      ...('vrfProof' in payload && { vrf_proof: toHex(payload.vrfProof) }),
    },
  };
}
