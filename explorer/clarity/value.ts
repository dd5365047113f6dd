/** A Clarity value as a tree. Numbers stay texts, since they may have 128 bits. */
export type ClarityTree =
  | { kind: 'int' | 'uint' | 'bool' | 'principal' | 'buffer' | 'none'; text: string }
  | { kind: 'ascii' | 'utf8'; text: string }
  | { kind: 'some' | 'ok' | 'err'; value: ClarityTree }
  | { kind: 'list'; items: ClarityTree[] }
  | { kind: 'tuple'; fields: { name: string; value: ClarityTree }[] };
