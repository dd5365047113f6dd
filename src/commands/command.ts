import type { ParseArgsConfig } from 'node:util';
import type { Environment } from '../config/setting.ts';

/** A flag of a command, in the form of `node:util` parseArgs plus its sentence. */
export type Flag = NonNullable<ParseArgsConfig['options']>[string] & {
  about: string;
  /** What stands for the value in the help, as FILE in `--out FILE`. */
  value?: string;
};

export type Arguments = {
  flags: Record<string, string | boolean | (string | boolean)[] | undefined>;
  positionals: string[];
  env: Environment;
};

/** One thing `cairn` can do. */
export type Command = {
  about: string;
  /** What follows the name in the help: `FILE…`. */
  usage: string;
  flags: Record<string, Flag>;
  /** How many positional arguments it takes. */
  positionals: { min: number; max: number };
  /** Does it; resolves with the exit code. */
  run(args: Arguments): Promise<number>;
};
