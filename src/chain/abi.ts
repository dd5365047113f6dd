import { sha512_256 } from '@cairn-stacks/codec/hash';

type AbiFunction = { name: string; access: string; args: { type: unknown }[]; outputs: unknown };

/**
 * A number for each function of an interface that depends on its name, access, argument types and output, not on argument
 * names. Equal functions of two contracts have equal numbers, so that a search by trait is a search for numbers.
 */
export function functionDigests(abi: unknown): bigint[] {
  const functions = (abi as { functions?: unknown } | null)?.functions;
  if (!Array.isArray(functions)) return [];
  return functions.map(f => digest(f as AbiFunction));
}

function digest({ name, access, args, outputs }: AbiFunction): bigint {
  const text = JSON.stringify([
    name,
    access,
    Array.isArray(args) ? args.map(a => sorted(a?.type)) : [],
    sorted(outputs),
  ]);
  return Buffer.from(sha512_256(Buffer.from(text))).readBigInt64BE(0);
}

/** An interface type with the keys of its objects in the order of their names. */
function sorted(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(sorted);
  if (type === null || typeof type !== 'object') return type;
  return Object.fromEntries(
    Object.entries(type)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, sorted(value)]),
  );
}
