import { formatPrincipal } from '@cairn-stacks/codec/address/principal';
import { type BnsName, bnsRole, bnsVersionOfAsset } from '@cairn-stacks/codec/bns-name';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError } from '@cairn-stacks/codec/error';
import type { ChainEvent } from '../event.ts';
import { originOf } from '../pox/signer.ts';
import { printedFields, uintOf } from '../print-fields.ts';
import type { Receipt } from '../transaction.ts';
import { type NamePrint, nameIn, readNamePrint, readRenewalCall } from './bns-v1.ts';
import {
  type MarketPrint,
  type ResolverPrint,
  readMarketPrint,
  readResolverPrint,
  readTopicPrint,
  type TopicPrint,
} from './bns-v2.ts';
import { type Namespace, type NamespacePrint, readNamespacePrint, readPriceCall } from './namespace.ts';

/** One effect of a transaction on the naming system; calls without a print come after its last event. */
export type BnsEvent = { index: number } & (
  | { kind: 'owned'; version: 1; name: BnsName; from?: string; to?: string }
  | { kind: 'owned'; version: 2; token: bigint; from?: string; to?: string }
  | { kind: 'name'; version: 1; print: NamePrint }
  | { kind: 'name'; version: 2; print: TopicPrint }
  | { kind: 'renewed'; version: 1 | 2; name: BnsName; sender: string }
  | { kind: 'market'; print: MarketPrint }
  | { kind: 'resolver'; print: ResolverPrint }
  | { kind: 'primary'; token: bigint; owner: string }
  | { kind: 'namespace'; version: 1 | 2; print: NamespacePrint }
  | { kind: 'price'; namespace: string; price: Namespace['price'] }
);

const none: readonly BnsEvent[] = [];

/** The effects of a receipt on names and namespaces, in order. */
export function readBnsEvents(receipt: Receipt): readonly BnsEvent[] {
  const found: BnsEvent[] = [];
  receipt.events.forEach((event, index) => {
    const read = event.kind === 'print' ? readPrint(event, index) : readOwned(event, index);
    if (read) found.push(read);
  });
  const called = receipt.status === 'success' ? readCall(receipt) : undefined;
  if (called && !(called.kind === 'renewed' && found.some(each => tellsOf(each, called.name)))) found.push(called);
  return found.length > 0 ? found : none;
}

function readOwned(event: ChainEvent, index: number): BnsEvent | undefined {
  if (event.kind !== 'nft_mint' && event.kind !== 'nft_transfer' && event.kind !== 'nft_burn') return undefined;
  const version = bnsVersionOfAsset(event.asset);
  if (version === undefined) return undefined;
  const sides = {
    ...('sender' in event && { from: event.sender }),
    ...('recipient' in event && { to: event.recipient }),
  };
  if (version === 1) {
    const name = nameIn(printedFields(event.value) ?? new Map());
    return name && { kind: 'owned', version, name, index, ...sides };
  }
  const token = tokenOf(event.value);
  return token === undefined ? undefined : { kind: 'owned', version, token, index, ...sides };
}

function tokenOf(value: Uint8Array): bigint | undefined {
  try {
    return uintOf(decodeClarity(value));
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}

function readPrint(event: Extract<ChainEvent, { kind: 'print' }>, index: number): BnsEvent | undefined {
  const role = bnsRole(event.contract);
  const fields = role && printedFields(event.value);
  if (!fields) return undefined;
  if (role === 'resolver') {
    const print = readResolverPrint(fields);
    return print && { kind: 'resolver', print, index };
  }
  const namespace = readNamespacePrint(fields);
  if (namespace) return { kind: 'namespace', version: role === 'v1' ? 1 : 2, print: namespace, index };
  if (role === 'v1') {
    const print = readNamePrint(fields);
    return print && { kind: 'name', version: 1, print, index };
  }
  const print = readTopicPrint(fields);
  if (print) return { kind: 'name', version: 2, print, index };
  const market = readMarketPrint(fields);
  return market && { kind: 'market', print: market, index };
}

/** Calls that change state and print nothing; those made from inside another contract cannot be seen. */
function readCall({ transaction, events }: Receipt): BnsEvent | undefined {
  if (transaction?.payload.type !== 'contract_call') return undefined;
  const { contract, functionName } = transaction.payload;
  const role = bnsRole(formatPrincipal(contract));
  if (role === undefined || role === 'resolver') return undefined;
  const args: ClarityValue[] = transaction.payload.args.map(decodeClarity);
  const index = events.length;
  const sender = originOf(transaction);
  if (functionName === 'name-renewal') {
    const version = role === 'v1' ? 1 : 2;
    const name =
      version === 1 ? readRenewalCall(args) : nameIn(new Map(['namespace', 'name'].map((k, i) => [k, args[i]!])));
    return name && { kind: 'renewed', version, name, sender, index };
  }
  if (role === 'v1' && functionName === 'namespace-update-function-price') {
    const read = readPriceCall(args);
    return read && { kind: 'price', ...read, index };
  }
  const token = role === 'v2' && functionName === 'set-primary-name' ? uintOf(args[0]) : undefined;
  return token === undefined ? undefined : { kind: 'primary', token, owner: sender, index };
}

/** True if an event already shows the change of a name. */
const tellsOf = (event: BnsEvent, { name, namespace }: BnsName): boolean =>
  event.kind === 'name' && event.print.name.name === name && event.print.name.namespace === namespace;

/** Principals that only prints of the naming system name. */
export function bnsPrincipals(event: Extract<ChainEvent, { kind: 'print' }>): string[] {
  const read = readPrint(event, 0);
  switch (read?.kind) {
    case 'name':
      return (read.version === 1 ? [read.print.sender] : [read.print.owner]).filter(name => name !== undefined);
    case 'namespace':
      return [read.print.properties.importer, read.print.properties.manager].filter(name => name !== undefined);
    default:
      return [];
  }
}
