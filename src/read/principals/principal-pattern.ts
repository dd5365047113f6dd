import { c32Alphabet } from '@cairn-stacks/codec/address/c32';

// Only letters and lengths are checked: an address with a wrong checksum is an account without activity.
const name = '[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}';
export const addressShape = `[${c32Alphabet}]{28,41}`;
export const contractShape = `${addressShape}\\.${name}`;
/** An address, or a contract of it. */
export const principalShape = `${addressShape}(\\.${name})?`;
/** A contract as the incumbent publishes it: its dot stands for any character, and clients know the pattern from errors. */
export const looseContractPattern = `^${addressShape}.${name}$`;

const principalStart = new RegExp(`^${addressShape}(\\.|$)`);

/** True if a text has the letters and the length of an address, and nothing but a contract name behind it. */
export const startsWithAddress = (text: string): boolean => principalStart.test(text);
