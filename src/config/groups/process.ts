import * as incumbent from '../incumbent-settings.ts';
import * as is from '../setting.ts';
import { set } from '../setting.ts';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Shutdown and logging. */
export const processSettings = {
  stopTimeout: set({
    name: 'CAIRN_STOP_TIMEOUT',
    kind: is.seconds,
    fallback: '10',
    aliases: ['STACKS_SHUTDOWN_FORCE_KILL_TIMEOUT'],
    about: 'Seconds that open requests and the fold have to finish after SIGTERM.',
  }),
  logLevel: set({
    name: 'CAIRN_LOG_LEVEL',
    kind: is.choice(...LEVELS),
    fallback: 'info',
    aliases: [incumbent.logLevel],
    about: 'Minimum level of log lines.',
  }),
  logFormat: set({
    name: 'CAIRN_LOG_FORMAT',
    kind: is.choice('auto', 'json', 'pretty'),
    fallback: 'auto',
    about: 'Format of log lines; `auto` is `pretty` on a terminal and `json` elsewhere.',
  }),
} as const;
