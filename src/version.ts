import { readFileSync } from 'node:fs';

/** The version of the package, read from beside the code so that it is written once. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** How the service names itself in answers. */
export const serverVersion = `cairn v${version}`;
