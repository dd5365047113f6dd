import { type BnsName, labelOf } from '@cairn-stacks/codec/bns-name';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { bytesOf, type Fields, fieldsOf, principalOf, textOf, uintOf } from '../print-fields.ts';

/** Operations of version 1, which the public API shows as the status of a name. Never renumber. */
export const nameOperations = {
  'name-import': 1,
  'name-register': 2,
  'name-update': 3,
  'name-transfer': 4,
  'name-renewal': 5,
  'name-revoke': 6,
} as const;
export type NameOperation = keyof typeof nameOperations;

const operationsByCode = new Map(
  Object.entries(nameOperations).map(([operation, code]) => [code as number, operation as NameOperation]),
);

/** The operation of a code in the tables. */
export const nameOperation = (code: number): NameOperation => operationsByCode.get(code) ?? 'name-register';

/** The content of a print with an `attachment`. */
export type NamePrint = { name: BnsName; operation: NameOperation; sender: string; zonefileHash: Uint8Array };

/** Reads `{attachment: {hash, attachment-index, metadata: {name, namespace, op, tx-sender}}}`. */
export function readNamePrint(fields: Fields): NamePrint | undefined {
  const attachment = fieldsOf(fields.get('attachment'));
  const metadata = fieldsOf(attachment.get('metadata'));
  const operation = textOf(metadata.get('op'));
  const sender = principalOf(metadata.get('tx-sender'));
  const name = nameIn(metadata);
  if (!name || sender === undefined || !isOperation(operation)) return undefined;
  return { name, operation, sender, zonefileHash: bytesOf(attachment.get('hash')) ?? new Uint8Array(0) };
}

const isOperation = (text: string | undefined): text is NameOperation =>
  text !== undefined && Object.hasOwn(nameOperations, text);

/** The name in a tuple with the keys `name` and `namespace`. */
export function nameIn(fields: Fields): BnsName | undefined {
  const name = labelOf(bytesOf(fields.get('name')));
  const namespace = labelOf(bytesOf(fields.get('namespace')));
  return name === undefined || namespace === undefined ? undefined : { name, namespace };
}

/** The name that a call of `name-renewal` without a new zonefile renews: the contract prints nothing then. */
export function readRenewalCall(args: readonly ClarityValue[]): BnsName | undefined {
  const [namespace, name, amount, , zonefile] = args;
  if (args.length !== 5 || zonefile?.type !== 'none' || uintOf(amount) === undefined) return undefined;
  return nameIn(
    new Map([
      ['name', name!],
      ['namespace', namespace!],
    ]),
  );
}
