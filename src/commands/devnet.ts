import { ControlError } from '@cairn-stacks/devnet/control/call';
import { control, describeControls } from '@cairn-stacks/devnet/control/commands';
import { openSimulation } from '@cairn-stacks/devnet/simulation';
import { openDatabase, untilReachable } from '../app/database.ts';
import { describeDevnet, readDevnetAccounts } from '../app/devnet/devnet.ts';
import { type Config, readConfig } from '../config/config.ts';
import { connect } from '../db/client.ts';
import { UsageError } from '../errors.ts';
import { createLog } from '../log.ts';
import type { Command } from './command.ts';
import { saveDevnet } from './devnet/save.ts';
import { devnetLines } from './start.ts';

export const command: Command = {
  usage: '[COMMAND [ARGUMENT]]',
  more: `Without a command it runs a simulated node that posts its events to --observer. Commands for a running devnet:

${describeControls()}
  save FOLDER                 write its state and event log, for CAIRN_DEVNET_FROM`,
  flags: {
    observer: {
      type: 'string',
      value: 'URL',
      about: 'URL for events, such as http://127.0.0.1:3700 (default: events are not posted).',
    },
    url: {
      type: 'string',
      value: 'URL',
      about: 'RPC of the devnet that a command is for (default: http://127.0.0.1 and CAIRN_DEVNET_PORT).',
    },
    fail: { type: 'boolean', about: 'With the command rpc: respond with 500.' },
    port: { type: 'string', value: 'PORT', about: 'Port of the RPC (default: CAIRN_DEVNET_PORT).' },
    state: { type: 'string', value: 'FILE', about: 'File of the chain state (default: a new chain at every start).' },
    blocking: {
      type: 'boolean',
      about: 'Post block 0 before the RPC opens, and block the RPC while the observer is down, as a real node does.',
    },
    release: {
      type: 'string',
      value: 'NAME',
      about: 'Node release whose messages are sent: 4.0, 3.1, or 2.4 with microblocks.',
    },
  },
  positionals: { min: 0, max: 2 },
  async run({ flags, positionals, env }) {
    const { config } = readConfig(env);
    const [name, argument] = positionals;
    if (name !== undefined) {
      const url =
        typeof flags.url === 'string' ? flags.url.replace(/\/+$/, '') : `http://127.0.0.1:${config.devnetPort}`;
      if (name === 'save') return await save(config, url, argument);
      const programs = { program: 'cairn devnet', start: 'cairn start' };
      const response = await control({ url, name, argument, fail: flags.fail === true, ...programs }).catch(error => {
        throw error instanceof ControlError ? new UsageError(error.message, { cause: error }) : error;
      });
      process.stdout.write(`${JSON.stringify(response, undefined, 2)}\n`);
      return 0;
    }
    const release = flags.release ?? '4.0';
    if (release !== '4.0' && release !== '3.1' && release !== '2.4')
      throw new UsageError('--release is 4.0, 3.1 or 2.4');
    const port = flags.port === undefined ? config.devnetPort : Number(flags.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError('--port is a port from 0 to 65535');
    const devnet = await openSimulation({
      observer: typeof flags.observer === 'string' ? flags.observer.replace(/\/+$/, '') : undefined,
      host: '127.0.0.1',
      port,
      blockSeconds: config.devnetBlockSeconds,
      seed: config.devnetSeed,
      release,
      accounts: await readDevnetAccounts(config),
      blocking: flags.blocking === true,
      ...(typeof flags.state === 'string' && { file: flags.state }),
      onFailure: reason => process.stderr.write(`cairn: ${reason}\n`),
    });
    const lines = devnetLines({ ...describeDevnet(devnet), url: devnet.url || `http://127.0.0.1:${port}` });
    process.stdout.write(`${['', ...lines, '', ''].join('\n')}`);
    devnet.run();
    await new Promise<void>(resolve => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    });
    await devnet.stop();
    return 0;
  },
};

/** Saves the devnet of the service whose database the settings name. */
async function save(config: Config, url: string, folder: string | undefined): Promise<number> {
  if (folder === undefined) throw new UsageError('cairn devnet save expects FOLDER');
  const log = createLog({ level: 'warn', format: config.logFormat });
  const database = await openDatabase(config, log);
  const sql = connect(database.url, { max: 2, name: 'cairn devnet save', readOnly: true });
  try {
    await untilReachable(sql, log, () => false);
    const { events } = await saveDevnet(sql, url, folder);
    process.stderr.write(`the devnet and its ${events} events are in ${folder}\n`);
    return 0;
  } finally {
    await sql.end({ timeout: 5 });
    await database.stop();
  }
}
