#!/usr/bin/env node
import { runCli } from './commands/cli.ts';

runCli(process.argv.slice(2), process.env).then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`cairn: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
