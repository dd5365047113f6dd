import { readConfig } from '../config/config.ts';
import { openSimulation } from '../devnet/simulation.ts';
import { UsageError } from '../errors.ts';
import type { Command } from './command.ts';
import { devnetLines } from './start.ts';

export const command: Command = {
  about: 'Run the simulated node alone; its events go where --observer says.',
  usage: '',
  flags: {
    observer: {
      type: 'string',
      value: 'URL',
      about: 'Where events are posted, as http://127.0.0.1:3700; nowhere without.',
    },
    port: { type: 'string', value: 'PORT', about: 'Port of its RPC; CAIRN_DEVNET_PORT without.' },
    state: { type: 'string', value: 'FILE', about: 'Where it remembers itself; a new chain at every start without.' },
    blocking: {
      type: 'boolean',
      about: 'Post block 0 before the RPC opens, and let it hang while the observer is down, as a real node does.',
    },
    release: { type: 'string', value: 'NAME', about: 'Whose messages it sends: 4.0, 3.1, or 2.4 with microblocks.' },
  },
  positionals: { min: 0, max: 0 },
  async run({ flags, env }) {
    const { config } = readConfig(env);
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
      blocking: flags.blocking === true,
      ...(typeof flags.state === 'string' && { file: flags.state }),
      onFailure: reason => process.stderr.write(`cairn: ${reason}\n`),
    });
    const lines = devnetLines({ url: devnet.url || `http://127.0.0.1:${port}`, accounts: devnet.userKeys });
    process.stdout.write(`${['', ...lines, '', ''].join('\n')}`);
    devnet.run();
    await new Promise<void>(resolve => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    });
    await devnet.stop();
    return 0;
  },
};
