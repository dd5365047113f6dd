import { formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import { postConditionJson } from '@cairn-stacks/codec/transaction/post-condition-json';
import {
  ANCHOR_MODES,
  POST_CONDITION_MODES,
  payingCondition,
  type Transaction as SignedTransaction,
  senderPrincipal,
  sponsorAddress,
} from '@cairn-stacks/codec/transaction/transaction';
import { type Static, Type } from 'typebox';
import { knownValues } from '../pages/known-values.ts';
import { PostCondition } from './post-condition-schema.ts';

/** What a transaction says before anyone mined it: the same fields while it is pending and after. */
export const signedFields = {
  tx_id: Type.String({ description: 'Id of the transaction.' }),
  nonce: Type.Integer({ description: 'Nonce of the sender.' }),
  sponsor_nonce: Type.Optional(Type.Integer({ description: 'Nonce of the sponsor; absent without a sponsor.' })),
  fee_rate: Type.String({ description: 'Total fee in micro-STX.' }),
  sender_address: Type.String({ description: 'Address of the sender.' }),
  sponsored: Type.Boolean({ description: 'Whether a sponsor pays the fee.' }),
  sponsor_address: Type.Optional(Type.String({ description: 'Address of the sponsor; absent without a sponsor.' })),
  post_condition_mode: knownValues(POST_CONDITION_MODES, 'Whether assets may move that no post-condition names.'),
  post_conditions: Type.Array(PostCondition),
  anchor_mode: knownValues(ANCHOR_MODES, 'Where the transaction may be mined. Ignored since epoch 2.5.'),
};
const Signed = Type.Object(signedFields);
export type SignedFields = Static<typeof Signed>;

export function renderSigned(txId: Uint8Array, transaction: SignedTransaction): SignedFields {
  const { auth } = transaction;
  const sponsor = sponsorAddress(transaction);
  const signed: SignedFields = {
    tx_id: toHex(txId),
    nonce: Number(auth.origin.nonce),
    fee_rate: payingCondition(transaction).fee.toString(),
    sender_address: formatPrincipal(senderPrincipal(transaction)),
    sponsored: sponsor !== undefined,
    post_condition_mode: transaction.postConditionMode,
    post_conditions: transaction.postConditions.map(postConditionJson),
    anchor_mode: transaction.anchorMode,
  };
  if (auth.sponsor) signed.sponsor_nonce = Number(auth.sponsor.nonce);
  if (sponsor !== undefined) signed.sponsor_address = sponsor;
  return signed;
}
