import { buffer, list, principal, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { sha256 } from '@cairn-stacks/codec/hash';
import { fromHex } from '@cairn-stacks/codec/hex';
import { callPayload, transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { fieldsIn, readData, variableKey } from '../contracts/contract-model.ts';
import { sbtcDeployer } from '../contracts/sbtc/sbtc-address.ts';
import { deployer } from './accounts.ts';
import type { Residents } from './residents.ts';

/** Deposits bitcoin and withdraws them again. */
export const bridgeUser = 3_010;
/** The keys of the signers, which are not those of the account that sends for them. */
const signers = [3_020, 3_021, 3_022];

const fee = 9_000n;
const funds = 100_000_000n;
/** Every n-th request is rejected. */
const rejected = 3n;

const contractOf = (residents: Residents, name: string) => `${sbtcDeployer(residents.node.network.mainnet)}.${name}`;

/** A hash that stands for a Bitcoin transaction. */
const bitcoinTransaction = (name: string) => buffer(sha256(Buffer.from(name)));

/** The call by which the signers complete a deposit, swept in the present Bitcoin block. */
export function depositPayload(residents: Residents, recipient: string, amount: bigint, name: string): Payload {
  const { burn } = residents.node.tip;
  return callPayload(contractOf(residents, 'sbtc-deposit'), 'complete-deposit-wrapper', [
    ...[bitcoinTransaction(`deposit ${name}`), uint(residents.round % 3), uint(amount), principal(recipient)],
    ...[buffer(fromHex(burn.hash)), uint(burn.height), bitcoinTransaction(`sweep ${name}`)],
  ]);
}

/** Lets the signers of sBTC and one user act: a deposit, a request, its outcome, and from time to time new keys. */
export function bridgeSbtc(residents: Residents): void {
  const { node, round } = residents;
  const pending = new Set(node.mempool.list().map(({ sender }) => sender));
  const user = residents.address(bridgeUser);
  const isBusy = pending.has(residents.address(deployer));
  if (!node.chain.release.nakamoto || !node.state.contracts.has(residents.contract('pool'))) return;
  const send = (account: number, payload: Payload) => residents.send(account, payload, { mode: 'allow', fee });
  if ((node.state.stx.get(user) ?? 0n) === 0n) {
    if (!isBusy) send(deployer, transferPayload(user, funds, 'for sBTC'));
    return;
  }
  if (!pending.has(user) && round % 4 === 1) request(residents, payload => send(bridgeUser, payload));
  if (isBusy) return;
  const next = newKeys(residents) ?? (round % 4 === 2 ? ownDeposit(residents) : undefined) ?? outcome(residents);
  if (next) send(deployer, next);
}

/** Recipients of several types. */
const recipients = [
  { version: 0, size: 20 },
  { version: 1, size: 20 },
  { version: 4, size: 20 },
  { version: 6, size: 32 },
];

function request(residents: Residents, send: (payload: Payload) => void): void {
  const { round, node } = residents;
  const asset = `${contractOf(residents, 'sbtc-token')}::sbtc-token`;
  const amount = BigInt(10_000 + round);
  const maxFee = 3_000n;
  if (node.state.held(residents.address(bridgeUser), asset) < amount + maxFee) return;
  const { version, size } = recipients[(round >> 2) % recipients.length]!;
  const recipient = tuple({
    hashbytes: buffer(sha256(Buffer.from(`recipient ${round}`)).subarray(0, size)),
    version: buffer(Uint8Array.of(version)),
  });
  const args = [uint(amount), recipient, uint(maxFee)];
  send(callPayload(contractOf(residents, 'sbtc-withdrawal'), 'initiate-withdrawal-request', args));
}

/** What the signers decide about the oldest open request of the last few. */
function outcome(residents: Residents): Payload | undefined {
  const registry = contractOf(residents, 'sbtc-registry');
  const last = readData(residents.node.state, variableKey(registry, 'last-withdrawal-request-id'));
  const newest = last?.type === 'uint' ? last.value : 0n;
  for (let id = newest > 5n ? newest - 5n : 1n; id <= newest; id++) {
    if (isOpen(residents.readOnly(registry, 'get-withdrawal-request', [uint(id)]))) return decide(residents, id);
  }
  return undefined;
}

function isOpen(found: ClarityValue | undefined): boolean {
  return found?.type === 'some' && fieldsIn(found.value)?.get('status')?.type === 'none';
}

function decide(residents: Residents, id: bigint): Payload {
  const contract = contractOf(residents, 'sbtc-withdrawal');
  if (id % rejected === 0n) return callPayload(contract, 'reject-withdrawal-request', [uint(id), uint(0)]);
  const { burn } = residents.node.tip;
  const sweep = bitcoinTransaction(`sweep of request ${id}`);
  return callPayload(contract, 'accept-withdrawal-request', [
    ...[uint(id), sweep, uint(0), uint(1), uint(1_000n + id)],
    ...[buffer(fromHex(burn.hash)), uint(burn.height), sweep],
  ]);
}

const ownDeposit = (residents: Residents): Payload =>
  depositPayload(residents, residents.address(bridgeUser), BigInt(100_000 + residents.round), `${residents.round}`);

/** New keys every thirty rounds. */
function newKeys(residents: Residents): Payload | undefined {
  const term = Math.floor(residents.round / 30);
  const keys = signers.map(index => buffer(residents.account(index + term * signers.length).publicKey));
  const present = residents.readOnly(contractOf(residents, 'sbtc-registry'), 'get-current-aggregate-pubkey', []);
  if (present?.type === 'buffer' && keys[0]?.type === 'buffer' && sameBytes(present.bytes, keys[0].bytes))
    return undefined;
  return callPayload(contractOf(residents, 'sbtc-bootstrap-signers'), 'rotate-keys-wrapper', [
    ...[list(keys), keys[0]!, uint(2)],
  ]);
}

const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
