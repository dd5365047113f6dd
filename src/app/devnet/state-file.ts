import { join } from 'node:path';
import type { Config } from '../../config/config.ts';

/** The file of the state of the simulated chain. */
export const stateFile = ({ dataDir }: Config) => join(dataDir, 'devnet.json');
