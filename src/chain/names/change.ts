import { nameOperations } from './bns-v1.ts';

/** Codes of changes of a name in the tables: the operations of version 1, then later ones. Never renumber. */
export const nameChanges = {
  ...nameOperations,
  'name-airdrop': 7,
  'name-list': 8,
  'name-unlist': 9,
  'name-purchase': 10,
  'name-burn': 11,
  'name-genesis': 12,
} as const;
export type NameChange = keyof typeof nameChanges;

export const changeNames = Object.keys(nameChanges) as NameChange[];

const changesByCode = new Map(Object.entries(nameChanges).map(([change, code]) => [code as number, change]));

/** The change of a code in the tables. */
export const nameChange = (code: number): NameChange => (changesByCode.get(code) ?? 'name-register') as NameChange;
