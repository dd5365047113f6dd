import { buffer, list, principal, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { sbtcDeployer } from '@cairn-stacks/devnet/contracts/sbtc/sbtc-address';
import { author, extendBlock } from './newer-blocks.ts';

const deployer = sbtcDeployer(false);
export const registry = `${deployer}.sbtc-registry`;
const spendable = `${deployer}.sbtc-token::sbtc-token`;
const locked = `${spendable}-locked`;

/** An event of a message: its type and its fields. */
type SbtcEvent = [type: string, fields: object];

/** Where the signers say that a sweep is. */
export type SweepSpec = { tx: string; hash: string; height: number };

/** 32 bytes as hexadecimal digits. */
export const hash32 = (name: string | number): string => Buffer.from(String(name).padEnd(32, '.')).toString('hex');
export const keyOf = (fill: number): Uint8Array => Uint8Array.of(2, ...new Array<number>(32).fill(fill));

const bytes = (hex: string) => buffer(fromHex(`0x${hex}`));
const mint = (recipient: string, amount: number, asset = spendable): SbtcEvent => [
  'ft_mint_event',
  { asset_identifier: asset, recipient, amount: String(amount) },
];
const burn = (sender: string, amount: number, asset = spendable): SbtcEvent => [
  'ft_burn_event',
  { asset_identifier: asset, sender, amount: String(amount) },
];

/** Anything that a contract prints. */
export const printed = (value: ClarityValue, contract = registry): SbtcEvent => [
  'contract_event',
  { contract_identifier: contract, topic: 'print', raw_value: toHex(encodeClarity(value)) },
];
const print = (topic: string, fields: Record<string, ClarityValue>, contract?: string): SbtcEvent =>
  printed(tuple({ topic: stringAscii(topic), ...fields }), contract);

const sweepFields = ({ tx, hash, height }: SweepSpec, vout: number) => ({
  'burn-hash': bytes(hash),
  'burn-height': uint(height),
  'output-index': uint(vout),
  'sweep-txid': bytes(tx),
});

type DepositSpec = { tx: string; vout: number; amount: number; to: string; sweep: SweepSpec };
/** What a completed deposit emits; `minted` is another amount than the print has, or none. */
export const deposit = (spec: DepositSpec, { contract = registry, minted = spec.amount } = {}): SbtcEvent[] => [
  ...(minted > 0 ? [mint(spec.to, minted)] : []),
  print(
    'completed-deposit',
    { amount: uint(spec.amount), 'bitcoin-txid': bytes(spec.tx), ...sweepFields(spec.sweep, spec.vout) },
    contract,
  ),
];

export type RequestSpec = {
  id: number;
  amount: number;
  maxFee: number;
  sender: string;
  version: string;
  hash: string;
  height: number;
};
export const request = (spec: RequestSpec): SbtcEvent[] => [
  burn(spec.sender, spec.amount + spec.maxFee),
  mint(spec.sender, spec.amount + spec.maxFee, locked),
  print('withdrawal-create', {
    amount: uint(spec.amount),
    'block-height': uint(spec.height),
    'max-fee': uint(spec.maxFee),
    recipient: tuple({ hashbytes: bytes(spec.hash), version: bytes(spec.version) }),
    'request-id': uint(spec.id),
    sender: principal(spec.sender),
  }),
];

export const acceptance = (spec: RequestSpec, fee: number, vout: number, sweep: SweepSpec): SbtcEvent[] => [
  burn(spec.sender, spec.amount + spec.maxFee, locked),
  ...(spec.maxFee > fee ? [mint(spec.sender, spec.maxFee - fee)] : []),
  print('withdrawal-accept', {
    'bitcoin-txid': bytes(sweep.tx),
    fee: uint(fee),
    'request-id': uint(spec.id),
    'signer-bitmap': uint(0),
    ...sweepFields(sweep, vout),
  }),
];

export const rejection = (spec: RequestSpec): SbtcEvent[] => [
  burn(spec.sender, spec.amount + spec.maxFee, locked),
  mint(spec.sender, spec.amount + spec.maxFee),
  print('withdrawal-reject', { 'request-id': uint(spec.id), 'signer-bitmap': uint(0) }),
];

type RotationSpec = { keys: Uint8Array[]; aggregate: Uint8Array; signer: string; threshold: number };
export const rotation = ({ keys, aggregate, signer, threshold }: RotationSpec): SbtcEvent[] => [
  print('key-rotation', {
    'new-address': principal(signer),
    'new-aggregate-pubkey': buffer(aggregate),
    'new-keys': list(keys.map(buffer)),
    'new-signature-threshold': uint(threshold),
  }),
];

export const contractUpdate = (role: number, contract: string): SbtcEvent[] => [
  print('update-protocol-contract', {
    'contract-type': buffer(Uint8Array.of(role)),
    'new-contract': principal(contract),
  }),
];

/** A block to which transactions with these events are added. */
export function withSbtc(message: Message, transactions: readonly SbtcEvent[][]): Message {
  const block = extendBlock(message);
  const { block_height } = block.body as { block_height: number };
  for (const [i, events] of transactions.entries()) {
    const txid = block.call(`${deployer}.sbtc-deposit`, 'complete', block_height * 100 + i);
    for (const [type, fields] of events) block.event(txid, type, fields);
  }
  return block.message;
}

/** The account that the tests act as. */
export const user = author.address;
