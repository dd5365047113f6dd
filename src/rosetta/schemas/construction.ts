import { type Static, type TProperties, Type } from 'typebox';
import {
  RosettaAccount,
  RosettaAmount,
  RosettaMetadata,
  RosettaNetwork,
  RosettaOperation,
  RosettaTransactionIdentifier,
} from './rosetta.ts';

/** Shapes of the requests and responses that build a transaction step by step. */

const closed = <P extends TProperties>(title: string, properties: P) =>
  Type.Object({ network_identifier: RosettaNetwork, ...properties }, { additionalProperties: false, title });

export const RosettaPublicKey = Type.Object(
  {
    hex_bytes: Type.String({ description: 'Public key: 33 or 65 bytes in hex, with or without `0x`.' }),
    curve_type: Type.String({ description: 'Curve of the key; only `secp256k1`.' }),
  },
  { title: 'RosettaPublicKey' },
);
export type RosettaPublicKey = Static<typeof RosettaPublicKey>;

const hexTransaction = Type.String({ description: 'Serialized transaction in hex, with or without `0x`.' });
const wholeNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** What fits into 128 bits; as text, since numbers of JSON do not hold it. */
const largeNumber = Type.Union([Type.String({ pattern: '^[0-9]{1,39}$' }), wholeNumber]);
const signedText = Type.String({ pattern: '^[+-]?[0-9]{1,39}$' });

/** What an operation that stacks says about its cycles, its reward address and its signer. */
export const stackingFields = {
  number_of_cycles: Type.Integer({
    minimum: 1,
    maximum: 12,
    description: 'Number of reward cycles that the STX stay locked.',
  }),
  pox_addr: Type.Optional(Type.String({ maxLength: 100, description: 'Bitcoin address that receives the rewards.' })),
  signer_key: Type.Optional(Type.String({ maxLength: 68, description: 'Public key of the signer: 33 bytes in hex.' })),
  signer_signature: Type.Optional(
    Type.String({ maxLength: 132, description: 'Signature of the signer: 65 bytes (r, s, v) in hex.' }),
  ),
  signer_private_key: Type.Optional(
    Type.String({
      maxLength: 68,
      description:
        'Private key that creates the signature of the signer if it is missing. It is used in `/construction/metadata` only and never returned.',
    }),
  ),
  pox_max_amount: Type.Optional(largeNumber),
  pox_auth_id: Type.Optional(largeNumber),
  reward_cycle_id: Type.Optional(wholeNumber),
};

/** Metadata of an operation `stack_stx`. */
export const StackingTerms = Type.Object(stackingFields, { title: 'RosettaStackingTerms' });
export type StackingTerms = Static<typeof StackingTerms>;

/** Metadata of an operation `delegate_stx`. */
export const DelegationTerms = Type.Object(
  {
    delegate_to: Type.String({ maxLength: 200, description: 'Principal that may lock the STX.' }),
    pox_addr: stackingFields.pox_addr,
  },
  { title: 'RosettaDelegationTerms' },
);
export type DelegationTerms = Static<typeof DelegationTerms>;

const options = {
  sender_address: Type.Optional(Type.String()),
  type: Type.Optional(
    Type.String({
      description: 'Type of the transaction: that of its operation, such as `token_transfer` or `contract_call`.',
    }),
  ),
  status: Type.Optional(Type.Unknown()),
  token_transfer_recipient_address: Type.Optional(Type.String()),
  amount: Type.Optional(signedText),
  symbol: Type.Optional(Type.String()),
  decimals: Type.Optional(Type.Integer()),
  gas_limit: Type.Optional(Type.Unknown({ description: 'Returned unchanged. It has no meaning on this chain.' })),
  gas_price: Type.Optional(Type.Unknown({ description: 'Returned unchanged. It has no meaning on this chain.' })),
  suggested_fee_multiplier: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
  max_fee: Type.Optional(signedText),
  fee: Type.Optional(signedText),
  size: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_097_152, description: 'Size of the transaction in bytes.' }),
  ),
  memo: Type.Optional(Type.String({ description: 'Memo; at most 34 bytes.' })),
  ...stackingFields,
  number_of_cycles: Type.Optional(stackingFields.number_of_cycles),
  contract_address: Type.Optional(Type.String()),
  contract_name: Type.Optional(Type.String()),
  burn_block_height: Type.Optional(wholeNumber),
  delegate_to: Type.Optional(Type.String()),
  operation: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Metadata of the operation, of any other type.' }),
  ),
};

/** What preprocess found out, in the form in which metadata wants it back. */
export const ConstructionOptions = Type.Object(options, {
  additionalProperties: false,
  title: 'RosettaConstructionOptions',
});
export type ConstructionOptions = Static<typeof ConstructionOptions>;

/** The metadata that `payloads` needs in addition to the operations; further fields are ignored. */
export const ConstructionMetadata = Type.Object(
  {
    ...options,
    account_sequence: Type.Optional(Type.Integer({ ...wholeNumber, description: 'Nonce of the transaction.' })),
    recent_block_hash: Type.Optional(Type.String()),
    options: Type.Optional(Type.Object({ memo: options.memo }, { description: 'May hold the memo instead.' })),
  },
  { title: 'RosettaConstructionMetadata' },
);
export type ConstructionMetadata = Static<typeof ConstructionMetadata>;

export const DeriveRequest = closed('RosettaDeriveRequest', {
  public_key: RosettaPublicKey,
  metadata: Type.Optional(RosettaMetadata),
});
export const DeriveResponse = Type.Object({ account_identifier: RosettaAccount }, { title: 'RosettaDerived' });

/** No transaction has more. */
const MAX_ITEMS = 100;

const operations = Type.Array(RosettaOperation, {
  maxItems: MAX_ITEMS,
  description: 'A fee operation, and two operations of a transfer or one operation of another type.',
});

export const PreprocessRequest = closed('RosettaPreprocessRequest', {
  operations,
  metadata: Type.Optional(
    Type.Object({ gas_limit: options.gas_limit, gas_price: options.gas_price, memo: options.memo }),
  ),
  max_fee: Type.Optional(
    Type.Array(RosettaAmount, { maxItems: MAX_ITEMS, description: 'Upper limit of the suggested fee.' }),
  ),
  suggested_fee_multiplier: options.suggested_fee_multiplier,
});
export type PreprocessRequest = Static<typeof PreprocessRequest>;
export const PreprocessResponse = Type.Object(
  { options: ConstructionOptions, required_public_keys: Type.Array(RosettaAccount) },
  { title: 'RosettaPreprocessed' },
);

export const MetadataRequest = closed('RosettaMetadataRequest', {
  options: ConstructionOptions,
  public_keys: Type.Optional(Type.Array(RosettaPublicKey, { maxItems: MAX_ITEMS })),
});
export type MetadataRequest = Static<typeof MetadataRequest>;
export const MetadataResponse = Type.Object(
  { metadata: ConstructionMetadata, suggested_fee: Type.Array(RosettaAmount) },
  { title: 'RosettaMetadata' },
);

export const PayloadsRequest = closed('RosettaPayloadsRequest', {
  operations,
  metadata: Type.Optional(ConstructionMetadata),
  public_keys: Type.Optional(Type.Array(RosettaPublicKey, { maxItems: MAX_ITEMS })),
});
export type PayloadsRequest = Static<typeof PayloadsRequest>;

const SigningPayload = Type.Object(
  {
    address: Type.Optional(Type.String()),
    account_identifier: Type.Optional(RosettaAccount),
    hex_bytes: Type.String({ description: 'Hash to sign: 32 bytes in hex.' }),
    signature_type: Type.Optional(Type.String({ description: 'Type of the signature; only `ecdsa_recovery`.' })),
  },
  { title: 'RosettaSigningPayload' },
);
export const PayloadsResponse = Type.Object(
  { unsigned_transaction: hexTransaction, payloads: Type.Array(SigningPayload) },
  { title: 'RosettaPayloads' },
);

export const RosettaSignature = Type.Object(
  {
    signing_payload: SigningPayload,
    public_key: RosettaPublicKey,
    signature_type: Type.String({ description: 'Type of the signature; only `ecdsa_recovery`.' }),
    hex_bytes: Type.String({ description: 'Signature: 65 bytes (r, s, v) in hex.' }),
  },
  { title: 'RosettaSignature' },
);
export type RosettaSignature = Static<typeof RosettaSignature>;

export const CombineRequest = closed('RosettaCombineRequest', {
  unsigned_transaction: hexTransaction,
  signatures: Type.Array(RosettaSignature, { maxItems: MAX_ITEMS }),
});
export const CombineResponse = Type.Object({ signed_transaction: hexTransaction }, { title: 'RosettaCombined' });

export const ParseRequest = closed('RosettaParseRequest', { signed: Type.Boolean(), transaction: hexTransaction });
export const ParseResponse = Type.Object(
  {
    operations: Type.Array(RosettaOperation),
    account_identifier_signers: Type.Optional(Type.Array(RosettaAccount)),
    metadata: Type.Optional(RosettaMetadata),
  },
  { title: 'RosettaParsed' },
);
export type ParseResponse = Static<typeof ParseResponse>;

/** Requests the hash of a transaction, or its submission. */
export const SignedTransactionRequest = closed('RosettaSignedTransactionRequest', {
  signed_transaction: hexTransaction,
});
export const TransactionHashResponse = Type.Object(
  { transaction_identifier: RosettaTransactionIdentifier },
  { title: 'RosettaTransactionHash' },
);
