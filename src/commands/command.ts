import type { ParseArgsConfig } from 'node:util';
import type { Environment } from '../config/setting.ts';

/** A flag of a command, in the form of `node:util` parseArgs plus its description. */
export type Flag = NonNullable<ParseArgsConfig['options']>[string] & {
  about: string;
  /** Placeholder of the value in the help, such as FILE in `--out FILE`. */
  value?: string;
};

export type Arguments = {
  flags: Record<string, string | boolean | (string | boolean)[] | undefined>;
  positionals: string[];
  env: Environment;
};

/** One command of `cairn`. */
export type Command = {
  /** Text after the name in the help: `FILE…`. */
  usage: string;
  /** Further text of the help. */
  more?: string;
  flags: Record<string, Flag>;
  /** Number of positional arguments. */
  positionals: { min: number; max: number };
  /** Runs the command; resolves with the exit code. */
  run(args: Arguments): Promise<number>;
};
