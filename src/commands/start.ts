import { describeNetwork, type Network } from '@cairn-stacks/codec/network';
import type { Addresses, App, Running } from '../app/app.ts';
import { type Config, readConfig } from '../config/config.ts';
import { createLog, isPretty, type Log } from '../log.ts';
import type { Command } from './command.ts';

/** Milliseconds that the parts have to stop after a failure. */
const FAILURE_GRACE_MS = 5000;

export const command: Command = {
  usage: '',
  flags: {},
  positionals: { min: 0, max: 0 },
  async run({ env }) {
    const { config, warnings, notes } = readConfig(env);
    const log = createLog({ level: config.logLevel, format: config.logFormat });
    for (const warning of warnings) log.warn(warning);
    for (const note of notes) log.info(note);
    const { ended, fail } = untilEnd(log);
    const app = await appOf(config, log, fail);
    try {
      const running = await Promise.race([app.start(), ended]);
      if (typeof running === 'object') announce(running, config, log);
      return await ended;
    } finally {
      const hurry = setTimeout(() => process.exit(1), config.stopTimeout * 1000 + FAILURE_GRACE_MS);
      hurry.unref();
      await app.stop();
      log.info('stopped');
    }
  },
};

/** Loads only the modules of the role, so that the offline role starts fast. */
async function appOf(config: Config, log: Log, fail: (error: Error) => void): Promise<App> {
  if (config.role === 'rosetta-offline') {
    const { createOfflineApp } = await import('../app/rosetta-offline.ts');
    return createOfflineApp(config, log);
  }
  const { createApp } = await import('../app/app.ts');
  return createApp(config, log, fail);
}

/** Announces that the service is ready and its URLs: a block of text on a terminal, a log line elsewhere. */
function announce({ addresses, network, simulated, devnet }: Running, config: Config, log: Log): void {
  log.info(addresses, `ready on ${describeNetwork(network)}`);
  const waits = config.nodes.length === 0 && !simulated ? addresses.observer : undefined;
  if (isPretty(config.logFormat) && log.isLevelEnabled('info')) {
    process.stdout.write(welcome(addresses, network, waits !== undefined, devnet));
  } else if (waits) {
    log.info(`no node is configured: waiting for events at ${waits}`);
  } else if (devnet) {
    log.info(devnet, 'a simulated devnet is running; its accounts are for testing');
  }
}

/** Resolves with the exit code after a stop signal or a failure; a second signal ends the process at once. */
function untilEnd(log: Log): { ended: Promise<number>; fail: (error: unknown) => void } {
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>(resolve => {
    end = resolve;
  });
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      log.info(`${signal}: stopping; repeat to stop immediately`);
      end(0);
    });
  }
  const fail = (error: unknown) => {
    if (stopping) return;
    stopping = true;
    log.fatal({ err: error }, 'stopping after an error that nothing handled');
    end(1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  return { ended, fail };
}

/** The text for a user who has just started the program on a terminal. */
export function welcome(addresses: Addresses, network: Network, waits: boolean, devnet?: Running['devnet']): string {
  const rows: [string, string | undefined][] =
    addresses.metrics === undefined
      ? [['Rosetta', `${addresses.api}/rosetta/v1 (offline)`]]
      : [
          ['Explorer', addresses.api && `${addresses.api}/`],
          ['Status', addresses.api && `${addresses.api}/extended`],
          ['API', addresses.api && `${addresses.api}/docs`],
          ['Ingest', addresses.api && `${addresses.api}/extended/v1/status/ingest`],
          ['Metrics', addresses.metrics],
        ];
  const open = rows.flatMap(([name, url]) => (url ? [`  ${name.padEnd(9)} ${url}`] : []));
  const heading = waits
    ? 'No node is configured: Cairn is waiting for events. Add this to the configuration of a node:'
    : 'Each node of yours needs this in its configuration:';
  if (devnet) open.push(...devnetLines(devnet));
  const attach =
    addresses.observer && !devnet ? ['', `  ${heading}`, '', observerToml(addresses.observer, '    ')] : [];
  return `${['', `Cairn is running on ${describeNetwork(network)}.`, '', ...open, ...attach, ''].join('\n')}\n`;
}

/** The URL of the simulated node, and funded accounts for testing. */
export const devnetLines = ({ url, accounts, own }: NonNullable<Running['devnet']>): string[] => [
  `  Node      ${url}/v2/info`,
  '',
  '  No node is configured: a simulated devnet mines. Two of its accounts are yours (simulated STX only):',
  ...accounts.flatMap(({ address, privateKey }) => [
    '',
    `    address      ${address}`,
    `    private key  ${privateKey}`,
  ]),
  '',
  '  The default accounts of Clarinet (deployer, wallet_1 to wallet_8, faucet) have STX too.',
  ...(own.length > 0 ? ['  So have those of CAIRN_DEVNET_ACCOUNTS:', ...own.map(address => `    ${address}`)] : []),
];

/** The lines of a node's TOML file that configure this observer. */
export const observerToml = (endpoint: string, indent = '') =>
  ['[[events_observer]]', `endpoint = "${endpoint}"`, 'events_keys = ["*"]', 'timeout_ms = 10_000']
    .map(line => indent + line)
    .join('\n');
