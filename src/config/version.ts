import { readFileSync } from 'node:fs';

/** The version from package.json, so that it is written once. */
export const version: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

/** The name of the service in responses. */
export const serverVersion = `cairn v${version}`;
