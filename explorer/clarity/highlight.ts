export type TokenKind = 'comment' | 'string' | 'number' | 'keyword' | 'definition' | 'principal' | 'plain';
export type Token = { kind: TokenKind; text: string };

const definitions = new Set([
  'define-public',
  'define-private',
  'define-read-only',
  'define-constant',
  'define-data-var',
  'define-map',
  'define-fungible-token',
  'define-non-fungible-token',
  'define-trait',
  'impl-trait',
  'use-trait',
]);
const keywords = new Set(
  (
    'begin let if match ok err some none asserts! try! unwrap! unwrap-panic unwrap-err! unwrap-err-panic default-to is-eq and or not ' +
    'map filter fold len append concat as-max-len? element-at? index-of? list tuple get merge print var-get var-set map-get? map-set ' +
    'map-insert map-delete contract-call? as-contract stx-transfer? stx-burn? stx-get-balance ft-transfer? ft-mint? ft-burn? ' +
    'ft-get-balance ft-get-supply nft-transfer? nft-mint? nft-burn? nft-get-owner? tx-sender contract-caller block-height ' +
    'burn-block-height stacks-block-height true false at-block sha256 keccak256 hash160 secp256k1-recover? to-int to-uint'
  ).split(' '),
);

const token = /;[^\n]*|u?"(?:\\.|[^"\\])*"?|0x[0-9a-fA-F]*|'S[0-9A-Z]+(?:\.[\w-]+)?|[^\s()"{};,]+|\s+|./gsu;

/** The tokens of Clarity source, line by line, so that each line can be linked. */
export function highlight(source: string): Token[][] {
  const lines: Token[][] = [[]];
  for (const [text] of source.matchAll(token)) {
    const kind = kindOf(text);
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part === '') continue;
      const line = lines.at(-1)!;
      const last = line.at(-1);
      if (last?.kind === kind && kind === 'plain') last.text += part;
      else line.push({ kind, text: part });
    }
  }
  return lines;
}

function kindOf(text: string): TokenKind {
  if (text.startsWith(';')) return 'comment';
  if (/^u?"/.test(text)) return 'string';
  if (/^(u?\d+|-\d+|0x[0-9a-fA-F]*)$/.test(text)) return 'number';
  if (text.startsWith("'S")) return 'principal';
  if (definitions.has(text)) return 'definition';
  return keywords.has(text) ? 'keyword' : 'plain';
}
