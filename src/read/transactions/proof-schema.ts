import { type Static, Type } from 'typebox';

const Hash = (description: string) => Type.String({ pattern: '^0x[0-9a-f]{64}$', description });

const ProofSigner = Type.Object({
  signing_key: Type.String({ description: 'Compressed public key in hex.' }),
  weight: Type.Integer({ minimum: 0 }),
});

/** A proof that a block holds a transaction. */
export const TransactionProof = Type.Object(
  {
    txid: Hash('Id of the transaction: the hash of `raw_tx`.'),
    index_block_hash: Hash('The block: the hash of `raw_header` and its consensus hash.'),
    block_height: Type.Integer({ minimum: 0 }),
    tx_index: Type.Integer({ minimum: 0, description: 'Index among the transactions that the block itself holds.' }),
    raw_tx: Type.String({ description: 'Bytes of the transaction in hex.' }),
    raw_header: Type.String({ description: 'Bytes of the block header in hex, with the signatures of the signers.' }),
    tx_merkle_path: Type.Array(
      Type.Object({
        position: Type.Union([Type.Literal('left'), Type.Literal('right')], {
          description: 'Side of the hash that is given.',
        }),
        hash: Hash('The hash beside the one of the step below.'),
      }),
      { description: 'From the transaction to the root in the header.' },
    ),
    canonical: Type.Boolean({ description: 'Always true: other blocks have no proofs.' }),
    consensus: Type.Union(
      [
        Type.Object({
          reward_cycle: Type.Integer({ description: 'Cycle whose signers sign the block.' }),
          reward_set: Type.Object({
            signers: Type.Array(ProofSigner, { description: 'In the order of their keys.' }),
            total_weight: Type.Integer({ minimum: 0 }),
          }),
        }),
        Type.Null(),
      ],
      {
        description:
          'Who may sign, as this index knows it; null if it does not. Compare it with a source that you trust.',
      },
    ),
    signed: Type.Union(
      [
        Type.Object({
          weight: Type.Integer({ minimum: 0, description: 'Weight of the signers that signed.' }),
          total: Type.Integer({ minimum: 0 }),
          threshold: Type.Integer({ minimum: 0, description: 'Weight that is needed: 70 % of the total, rounded up.' }),
          signers: Type.Array(Type.String(), { description: 'Keys that signed, in the order of their signatures.' }),
        }),
        Type.Null(),
      ],
      { description: 'Who signed; null without `consensus`, and for a shadow block, which nobody signs.' },
    ),
  },
  { title: 'TransactionProof' },
);
export type TransactionProof = Static<typeof TransactionProof>;
