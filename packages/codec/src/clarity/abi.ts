import { CodecError } from '../error.ts';

/** A type of a contract interface, in the node's JSON grammar. */
export type AbiType =
  | 'uint128'
  | 'int128'
  | 'bool'
  | 'principal'
  | 'none'
  | 'trait_reference'
  | { buffer: { length: number } }
  | { 'string-ascii': { length: number } }
  | { 'string-utf8': { length: number } }
  | { optional: AbiType }
  | { response: { ok: AbiType; error: AbiType } }
  | { tuple: { name: string; type: AbiType }[] }
  | { list: { type: AbiType; length: number } };

/** A function of a contract interface. */
export type AbiFunction = {
  name: string;
  access: 'private' | 'public' | 'read_only';
  args: { name: string; type: AbiType }[];
  outputs: { type: AbiType };
};

const DEFINITIONS = { public: 'define-public', read_only: 'define-read-only', private: 'define-private' } as const;

const signatures = new WeakMap<AbiFunction, string>();

/** The signature of a function in Clarity; without arguments one blank remains, as clients expect. */
export function functionSignature(of: AbiFunction): string {
  let signature = signatures.get(of);
  if (signature === undefined) {
    const parameters = of.args.map(arg => `(${arg.name} ${abiTypeText(arg.type)})`).join(' ');
    signature = `(${DEFINITIONS[of.access]} (${of.name} ${parameters}))`;
    signatures.set(of, signature);
  }
  return signature;
}

/** The text of an interface type in Clarity (SIP-002). */
export function abiTypeText(type: AbiType): string {
  if (typeof type === 'string') {
    if (type === 'uint128') return 'uint';
    return type === 'int128' ? 'int' : type;
  }
  if ('buffer' in type) return `(buff ${type.buffer.length})`;
  if ('string-ascii' in type) return `(string-ascii ${type['string-ascii'].length})`;
  if ('string-utf8' in type) return `(string-utf8 ${type['string-utf8'].length})`;
  if ('optional' in type) return `(optional ${abiTypeText(type.optional)})`;
  if ('response' in type) return `(response ${abiTypeText(type.response.ok)} ${abiTypeText(type.response.error)})`;
  if ('tuple' in type) return `(tuple ${type.tuple.map(key => `(${key.name} ${abiTypeText(key.type)})`).join(' ')})`;
  if ('list' in type) return `(list ${type.list.length} ${abiTypeText(type.list.type)})`;
  throw new CodecError(`unknown interface type ${JSON.stringify(type)}`, 0);
}
