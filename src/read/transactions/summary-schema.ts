import { type Static, Type } from 'typebox';

const SummaryPart = Type.Object(
  {
    kind: Type.Enum(['words', 'principal', 'amount', 'block'], {
      description: '`words` are those of this service; all other parts name something of the chain.',
    }),
    text: Type.String({ description: 'The part as it stands in `text`.' }),
    id: Type.Optional(
      Type.String({
        description:
          'What the part names: a principal, the identifier of an asset (`stx` for STX), or the height of a block.',
      }),
    ),
    amount: Type.Optional(Type.String({ description: 'Of an amount: in the smallest unit of the asset.' })),
  },
  { title: 'TransactionSentencePart' },
);
export type SummaryPart = Static<typeof SummaryPart>;

export const TransactionSummary = Type.Object(
  {
    tx_id: Type.String({ description: 'Id of the transaction.' }),
    tx_status: Type.String({ description: 'Exact status, as in the transaction.' }),
    text: Type.String({
      description: 'One sentence in plain words. Principals are shortened; `parts` has them whole.',
    }),
    parts: Type.Array(SummaryPart, { description: 'The sentence in parts, so that a page can link them.' }),
    complete: Type.Boolean({
      description: 'Whether all events were considered: of a transaction with more than 500, only the first ones are.',
    }),
  },
  { title: 'TransactionSentence' },
);
export type TransactionSummary = Static<typeof TransactionSummary>;

/** The sentence of parts, as text and as parts. */
export const renderSummary = (
  { tx_id, tx_status }: { tx_id: string; tx_status: string },
  parts: SummaryPart[],
  complete: boolean,
): TransactionSummary => ({ tx_id, tx_status, text: parts.map(({ text }) => text).join(''), parts, complete });
