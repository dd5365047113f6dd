import { type Static, type TProperties, Type } from 'typebox';
import {
  RosettaAccount,
  RosettaAmount,
  RosettaMetadata,
  RosettaNetwork,
  RosettaOperation,
  RosettaTransactionIdentifier,
} from './rosetta.ts';

/** Shapes of the requests and answers that make a transaction step by step. */

const closed = <P extends TProperties>(title: string, properties: P) =>
  Type.Object({ network_identifier: RosettaNetwork, ...properties }, { additionalProperties: false, title });

export const RosettaPublicKey = Type.Object(
  {
    hex_bytes: Type.String({ description: 'Hex of 33 or 65 bytes; `0x` may stand before it.' }),
    curve_type: Type.String({ description: '`secp256k1`.' }),
  },
  { title: 'RosettaPublicKey' },
);
export type RosettaPublicKey = Static<typeof RosettaPublicKey>;

const hexTransaction = Type.String({ description: 'Bytes of a transaction as hex; `0x` may stand before it.' });
const wholeNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** What fits into 128 bits; as text, since numbers of JSON do not hold it. */
const largeNumber = Type.Union([Type.String({ pattern: '^[0-9]{1,39}$' }), wholeNumber]);
const signedText = Type.String({ pattern: '^[+-]?[0-9]{1,39}$' });

const stacking = {
  number_of_cycles: Type.Integer({ minimum: 1, maximum: 12, description: 'Reward cycles that the STX stay locked.' }),
  pox_addr: Type.Optional(Type.String({ maxLength: 100, description: 'Bitcoin address that is rewarded.' })),
  signer_key: Type.Optional(Type.String({ maxLength: 68, description: 'Public key of the signer, 33 bytes as hex.' })),
  signer_signature: Type.Optional(
    Type.String({ maxLength: 132, description: 'Consent of the signer, 65 bytes r ‖ s ‖ v as hex.' }),
  ),
  signer_private_key: Type.Optional(
    Type.String({
      maxLength: 68,
      description: 'Makes the consent where it is not given; goes no further than metadata.',
    }),
  ),
  pox_max_amount: Type.Optional(largeNumber),
  pox_auth_id: Type.Optional(largeNumber),
  reward_cycle_id: Type.Optional(wholeNumber),
};

/** Metadata of an operation `stack_stx`. */
export const StackingTerms = Type.Object(stacking, { title: 'RosettaStackingTerms' });
export type StackingTerms = Static<typeof StackingTerms>;

/** Metadata of an operation `delegate_stx`. */
export const DelegationTerms = Type.Object(
  {
    delegate_to: Type.String({ maxLength: 200, description: 'Principal that may lock the STX.' }),
    pox_addr: stacking.pox_addr,
  },
  { title: 'RosettaDelegationTerms' },
);
export type DelegationTerms = Static<typeof DelegationTerms>;

const options = {
  sender_address: Type.Optional(Type.String()),
  type: Type.Optional(Type.String({ description: '`token_transfer`, `stack_stx` or `delegate_stx`.' })),
  status: Type.Optional(Type.Unknown()),
  token_transfer_recipient_address: Type.Optional(Type.String()),
  amount: Type.Optional(signedText),
  symbol: Type.Optional(Type.String()),
  decimals: Type.Optional(Type.Integer()),
  gas_limit: Type.Optional(Type.Unknown({ description: 'Sent back; without meaning on this chain.' })),
  gas_price: Type.Optional(Type.Unknown({ description: 'Sent back; without meaning on this chain.' })),
  suggested_fee_multiplier: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
  max_fee: Type.Optional(signedText),
  fee: Type.Optional(signedText),
  size: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_097_152, description: 'Bytes of the transaction.' })),
  memo: Type.Optional(Type.String({ description: 'At most 34 bytes.' })),
  ...stacking,
  number_of_cycles: Type.Optional(stacking.number_of_cycles),
  contract_address: Type.Optional(Type.String()),
  contract_name: Type.Optional(Type.String()),
  burn_block_height: Type.Optional(wholeNumber),
  delegate_to: Type.Optional(Type.String()),
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
  },
  { title: 'RosettaConstructionMetadata' },
);
export type ConstructionMetadata = Static<typeof ConstructionMetadata>;

export const DeriveRequest = closed('RosettaDeriveRequest', {
  public_key: RosettaPublicKey,
  metadata: Type.Optional(RosettaMetadata),
});
export const DeriveAnswer = Type.Object({ account_identifier: RosettaAccount }, { title: 'RosettaDerived' });

/** No transaction has more. */
const MOST_ITEMS = 100;

const operations = Type.Array(RosettaOperation, {
  maxItems: MOST_ITEMS,
  description: 'A fee, and a transfer or one of stacking.',
});

export const PreprocessRequest = closed('RosettaPreprocessRequest', {
  operations,
  metadata: Type.Optional(
    Type.Object({ gas_limit: options.gas_limit, gas_price: options.gas_price, memo: options.memo }),
  ),
  max_fee: Type.Optional(
    Type.Array(RosettaAmount, { maxItems: MOST_ITEMS, description: 'The suggested fee is never higher.' }),
  ),
  suggested_fee_multiplier: options.suggested_fee_multiplier,
});
export type PreprocessRequest = Static<typeof PreprocessRequest>;
export const PreprocessAnswer = Type.Object(
  { options: ConstructionOptions, required_public_keys: Type.Array(RosettaAccount) },
  { title: 'RosettaPreprocessed' },
);

export const MetadataRequest = closed('RosettaMetadataRequest', {
  options: ConstructionOptions,
  public_keys: Type.Optional(Type.Array(RosettaPublicKey, { maxItems: MOST_ITEMS })),
});
export const MetadataAnswer = Type.Object(
  { metadata: ConstructionMetadata, suggested_fee: Type.Array(RosettaAmount) },
  { title: 'RosettaMetadata' },
);

export const PayloadsRequest = closed('RosettaPayloadsRequest', {
  operations,
  metadata: Type.Optional(ConstructionMetadata),
  public_keys: Type.Optional(Type.Array(RosettaPublicKey, { maxItems: MOST_ITEMS })),
});
export type PayloadsRequest = Static<typeof PayloadsRequest>;

const SigningPayload = Type.Object(
  {
    address: Type.Optional(Type.String()),
    account_identifier: Type.Optional(RosettaAccount),
    hex_bytes: Type.String({ description: 'The hash to sign, 32 bytes as hex.' }),
    signature_type: Type.Optional(Type.String({ description: '`ecdsa_recovery`.' })),
  },
  { title: 'RosettaSigningPayload' },
);
export const PayloadsAnswer = Type.Object(
  { unsigned_transaction: hexTransaction, payloads: Type.Array(SigningPayload) },
  { title: 'RosettaPayloads' },
);

export const RosettaSignature = Type.Object(
  {
    signing_payload: SigningPayload,
    public_key: RosettaPublicKey,
    signature_type: Type.String({ description: '`ecdsa_recovery`.' }),
    hex_bytes: Type.String({ description: 'r ‖ s ‖ v, 65 bytes as hex.' }),
  },
  { title: 'RosettaSignature' },
);
export type RosettaSignature = Static<typeof RosettaSignature>;

export const CombineRequest = closed('RosettaCombineRequest', {
  unsigned_transaction: hexTransaction,
  signatures: Type.Array(RosettaSignature, { maxItems: MOST_ITEMS }),
});
export const CombineAnswer = Type.Object({ signed_transaction: hexTransaction }, { title: 'RosettaCombined' });

export const ParseRequest = closed('RosettaParseRequest', { signed: Type.Boolean(), transaction: hexTransaction });
export const ParseAnswer = Type.Object(
  {
    operations: Type.Array(RosettaOperation),
    account_identifier_signers: Type.Optional(Type.Array(RosettaAccount)),
    metadata: Type.Optional(RosettaMetadata),
  },
  { title: 'RosettaParsed' },
);
export type ParseAnswer = Static<typeof ParseAnswer>;

/** Asks for the hash of a transaction, or to send it. */
export const SignedTransactionRequest = closed('RosettaSignedTransactionRequest', {
  signed_transaction: hexTransaction,
});
export const TransactionHashAnswer = Type.Object(
  { transaction_identifier: RosettaTransactionIdentifier },
  { title: 'RosettaTransactionHash' },
);
