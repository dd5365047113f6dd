import { fixedResults } from './type-rules.ts';

/** Built-in functions without a fixed result type. */
const others = new Set(
  [
    '+ - * / mod pow sqrti log2 xor if let map fold filter append concat as-max-len? element-at element-at? list var-get',
    'map-get? tuple get merge begin print contract-call? as-contract at-block err ok some default-to asserts! unwrap!',
    'unwrap-err! unwrap unwrap-err unwrap-panic unwrap-err-panic match try! slice? replace-at? bit-and bit-or bit-xor',
    'bit-not bit-shift-left bit-shift-right to-consensus-buff? from-consensus-buff? get-block-info?',
    'get-burn-block-info? get-stacks-block-info? get-tenure-info? principal-destruct? principal-construct?',
    'with-stx with-ft with-nft with-stacking with-all-assets-unsafe',
  ].flatMap(line => line.split(' ')),
);

/**
 * True if a function name may be built in. Later versions of the language add functions; their names end in `?`, `!` or
 * `-verify`, so that such a name is never rejected.
 */
export const isResolvable = (name: string): boolean =>
  others.has(name) || Object.hasOwn(fixedResults, name) || /(?:[?!]|-verify)$/.test(name);
