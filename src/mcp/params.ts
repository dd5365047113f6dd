import { Type } from 'typebox';

const MAX_ROWS = 25;

/** Other keys are refused, so that a model learns that it misspelled one. */
export const input = <T extends Parameters<typeof Type.Object>[0]>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

export const Principal = Type.String({
  pattern: '^S[0-9A-Z]{27,40}(\\.[a-zA-Z][a-zA-Z0-9_-]{0,127})?$',
  description: 'An address (SP…, SM…, ST…, SN…) or a contract identifier ADDRESS.name.',
});
export const ContractId = Type.String({
  pattern: '^S[0-9A-Z]{27,40}\\.[a-zA-Z][a-zA-Z0-9_-]{0,127}$',
  description: 'A contract identifier ADDRESS.name.',
});
export const AssetId = Type.String({
  pattern: '^S[0-9A-Z]{27,40}\\.[a-zA-Z][a-zA-Z0-9_-]{0,127}::[a-zA-Z][a-zA-Z0-9_!?+<>=/*-]{0,127}$',
  description: 'The identifier of a token: ADDRESS.contract::name.',
});
export const TxId = Type.String({
  pattern: '^(0x)?[0-9a-fA-F]{64}$',
  description: 'A transaction id: 64 hex digits, with or without 0x.',
});
export const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: 10, description: 'Rows to return.' }),
);
export const Cursor = Type.Optional(
  Type.String({
    maxLength: 600,
    pattern: '^[\\x21-\\x7e]*$',
    description: 'The next_cursor of the last call, as it was.',
  }),
);

/** The id of a transaction as the API writes it. */
export const txIdOf = (text: string): string => (text.startsWith('0x') ? text : `0x${text}`);
