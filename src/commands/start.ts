import { type Addresses, createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { createLog, type Log } from '../log.ts';
import { describeNetwork, type Network } from '../network.ts';
import type { Command } from './command.ts';

/** After a failure the parts get this long to stop. */
const FAILURE_GRACE_MS = 5000;

export const command: Command = {
  about: 'Run the service: database, observer, fold and API, as the settings say.',
  usage: '',
  flags: {},
  positionals: { min: 0, max: 0 },
  async run({ env }) {
    const { config, warnings } = readConfig(env);
    const log = createLog({ level: config.logLevel, format: config.logFormat });
    for (const warning of warnings) log.warn(warning);
    const app = createApp(config, log);
    const ended = untilSignal(log);
    try {
      const running = await Promise.race([app.start(), ended]);
      if (typeof running === 'object') {
        log.info(running.addresses, `ready on ${describeNetwork(running.network)}`);
        if (process.stdout.isTTY) process.stdout.write(welcome(running.addresses, running.network));
        if (config.nodes.length === 0 && running.addresses.observer && !running.simulated) {
          log.info(`no node is configured: waiting for events at ${running.addresses.observer}`);
        }
      }
      return await ended;
    } finally {
      const hurry = setTimeout(() => process.exit(1), config.stopTimeout * 1000 + FAILURE_GRACE_MS);
      hurry.unref();
      await app.stop();
      log.info('stopped');
    }
  },
};

/** Resolves with the exit code when the process is told to stop; the second signal ends it at once. */
function untilSignal(log: Log): Promise<number> {
  return new Promise((resolve, reject) => {
    let told = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (told) process.exit(1);
        told = true;
        log.info(`${signal}: stopping; once more to stop at once`);
        resolve(0);
      });
    }
    const fail = (error: unknown) => {
      if (told) return;
      told = true;
      log.fatal({ err: error }, 'stopping after an error that nothing handled');
      reject(error);
    };
    process.on('uncaughtException', fail);
    process.on('unhandledRejection', fail);
  });
}

/** What a person who has just started the program wants to know. */
export function welcome(addresses: Addresses, network: Network): string {
  const rows: [string, string | undefined][] = [
    ['Status', addresses.api && `${addresses.api}/extended`],
    ['API', addresses.api && `${addresses.api}/docs`],
    ['Ingest', addresses.api && `${addresses.api}/extended/v1/status/ingest`],
    ['Metrics', addresses.metrics],
  ];
  const open = rows.flatMap(([name, url]) => (url ? [`  ${name.padEnd(9)} ${url}`] : []));
  const attach = addresses.observer
    ? ['', '  To attach a node, add to its configuration:', '', observerToml(addresses.observer, '    ')]
    : [];
  return `${['', `Cairn is running on ${describeNetwork(network)}.`, '', ...open, ...attach, ''].join('\n')}\n`;
}

/** The lines of a node's TOML that send its events here. */
export const observerToml = (endpoint: string, indent = '') =>
  ['[[events_observer]]', `endpoint = "${endpoint}"`, 'events_keys = ["*"]', 'timeout_ms = 60_000']
    .map(line => indent + line)
    .join('\n');
