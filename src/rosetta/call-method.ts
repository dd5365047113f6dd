import type { TSchema } from 'typebox';
import type { Reader } from '../db/client.ts';

/** A method of `/call`: its parameters and its result. */
export type CallMethod = {
  name: string;
  /** Whether the same call always returns the same result. */
  idempotent: boolean;
  parameters: TSchema;
  call(parameters: Record<string, unknown>, sql: Reader): Promise<Record<string, unknown>>;
};
