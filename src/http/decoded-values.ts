import { jsonOfClarity } from '@cairn-stacks/codec/clarity/to-json';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError } from '@cairn-stacks/codec/error';
import { fromHex } from '@cairn-stacks/codec/hex';

type Json = Record<string, unknown>;

/** Gives every Clarity value of a response, which has `hex` and `repr`, the same value as plain JSON in `json`. */
export function decodeValues(value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  const { hex, repr } = value as Json;
  if (typeof hex === 'string' && typeof repr === 'string') (value as Json).json = jsonOfHex(hex);
  for (const inner of Object.values(value)) decodeValues(inner);
}

/** A serialized Clarity value as plain JSON; null for what no program of this age can read. */
export function jsonOfHex(hex: string): unknown {
  try {
    return jsonOfClarity(decodeClarity(fromHex(hex)));
  } catch (error) {
    if (error instanceof CodecError) return null;
    throw error;
  }
}
