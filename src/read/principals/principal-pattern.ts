import { c32Alphabet } from '@cairn-stacks/codec/address/c32';

// Only letters and lengths are checked: an address with a wrong checksum is an account without activity.
/** The name of a deployed contract. */
const name = '[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}';
/** The name of a contract that a value names: before epoch 4.1 it may be longer than that of any contract. */
const namedName = '[a-zA-Z]([a-zA-Z0-9]|[-_]){0,127}';
export const addressShape = `[${c32Alphabet}]{28,41}`;
export const contractShape = `${addressShape}\\.${name}`;
/** An address, or a contract of it, as a value may name it. */
export const principalShape = `${addressShape}(\\.${namedName})?`;
/** A contract as the incumbent publishes it: its dot stands for any character, and clients know the pattern from errors. */
export const looseContractPattern = `^${addressShape}.${name}$`;
/** A contract as a value may name it. */
export const namedContractShape = `${addressShape}\\.${namedName}`;
export const namedContractPattern = `^${namedContractShape}$`;

const principalStart = new RegExp(`^${addressShape}(\\.|$)`);

/** True if a text has the letters and the length of an address, and nothing but a contract name behind it. */
export const startsWithAddress = (text: string): boolean => principalStart.test(text);
