import { openApiOf } from '../api/openapi.ts';
import { buildApi } from '../api/server.ts';
import { connect } from '../db/client.ts';
import { createLog } from '../log.ts';
import { parseNetwork } from '../network.ts';
import type { Command } from './command.ts';

/** The document as text, written from the routes alone: nothing is connected. */
export async function printOpenApi(): Promise<string> {
  const { app } = await buildApi({
    // The driver connects when it is first asked something, which never happens here.
    sql: connect('postgres://nobody@127.0.0.1:1/none', { max: 1, name: 'cairn openapi' }),
    tip: { current: undefined },
    network: parseNetwork('mainnet')!,
    readyMaxLag: 1,
    bodyLimit: 1024,
    maxInFlight: 1,
    cacheBytes: 1024,
    deprecatedEndpoints: true,
    log: createLog({ level: 'silent', format: 'json' }),
  });
  return `${JSON.stringify(openApiOf(app), null, 2)}\n`;
}

export const command: Command = {
  about: 'Print the OpenAPI document of the API.',
  usage: '',
  flags: {},
  positionals: { min: 0, max: 0 },
  async run() {
    process.stdout.write(await printOpenApi());
    return 0;
  },
};
