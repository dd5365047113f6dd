import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { encodeAddress } from '@cairn-stacks/codec/address/c32';
import { formatPrincipal } from '@cairn-stacks/codec/address/principal';
import * as clarity from '@cairn-stacks/codec/clarity/build';
import { reprClarity } from '@cairn-stacks/codec/clarity/repr';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { buildTransaction, callPayload, deployPayload, transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import type { PostCondition } from '@cairn-stacks/codec/transaction/post-condition';
import type { SpendingCondition } from '@cairn-stacks/codec/transaction/spending-condition';
import {
  decodeTransaction,
  encodeTransaction,
  senderAddress,
  transactionId,
} from '@cairn-stacks/codec/transaction/transaction';
import { cvToString, deserializeCV, deserializeTransaction } from '@stacks/transactions';
import { c32address } from 'c32check';

// A CommonJS module whose names Node cannot list. It is measured against, and used nowhere else.
const native = createRequire(import.meta.url)(
  '@hirosystems/stacks-encoding-native-js',
) as typeof import('@hirosystems/stacks-encoding-native-js');

export const usage = { options: '', about: 'Transactions, Clarity text and addresses against other libraries.' };

type Contender = { name: string; run: () => void };
type Contest = { name: string; unit: string; items: number; contenders: Contender[] };

/** Runs every comparison and returns the speedup, by the medians of interleaved rounds. */
export async function run(): Promise<Record<string, number>> {
  const transactions = [...recordedTransactions(), ...generatedTransactions(1500)];
  const values = transactions.flatMap(argumentsOf);
  const decode = measure(decodeContest(transactions));
  const repr = measure(reprContest(values));
  const c32 = measure(c32Contest(2000));
  return {
    decode_vs_stacks: ratio(decode, '@stacks/transactions'),
    decode_vs_native: ratio(decode, 'native'),
    repr_vs_stacks: ratio(repr, '@stacks/transactions'),
    repr_vs_native: ratio(repr, 'native'),
    c32_vs_c32check: ratio(c32, 'c32check'),
    decode_us: round(decode.get('cairn')!),
    repr_us: round(repr.get('cairn')!),
    c32_us: round(c32.get('cairn')!),
  };
}

/** From the hex of a node event to a decoded transaction, its id and its sender. */
function decodeContest(hexes: string[]): Contest {
  return {
    name: 'decode a transaction, with its id and sender',
    unit: 'transaction',
    items: hexes.length,
    contenders: [
      {
        name: 'cairn',
        run: () => {
          for (const hex of hexes) {
            const bytes = fromHex(hex);
            const transaction = decodeTransaction(bytes);
            sink(toHex(transactionId(bytes)));
            sink(senderAddress(transaction));
          }
        },
      },
      {
        name: '@stacks/transactions',
        run: () => {
          for (const hex of hexes) {
            const transaction = deserializeTransaction(hex);
            sink(transaction.txid());
            sink(transaction.auth.spendingCondition.signer);
          }
        },
      },
      {
        name: 'native',
        run: () => {
          for (const hex of hexes) {
            const transaction = native.decodeTransaction(hex);
            sink(transaction.tx_id);
            sink(transaction.auth.origin_condition.signer.address);
          }
        },
      },
    ],
  };
}

/** From the hex of a value to its text. */
function reprContest(hexes: string[]): Contest {
  return {
    name: 'text of a Clarity value',
    unit: 'value',
    items: hexes.length,
    contenders: [
      {
        name: 'cairn',
        run: () => {
          for (const hex of hexes) sink(reprClarity(fromHex(hex)));
        },
      },
      {
        name: '@stacks/transactions',
        run: () => {
          for (const hex of hexes) sink(cvToString(deserializeCV(hex)));
        },
      },
      {
        name: 'native',
        run: () => {
          for (const hex of hexes) sink(native.decodeClarityValueToRepr(hex));
        },
      },
    ],
  };
}

/** Each library gets hashes in the form that it takes. */
function c32Contest(count: number): Contest {
  const hashes = Array.from({ length: count }, () => randomBytes(20));
  const hexes = hashes.map(bareHex);
  return {
    name: 'text of an address',
    unit: 'address',
    items: count,
    contenders: [
      {
        name: 'cairn',
        run: () => {
          for (const hash of hashes) sink(encodeAddress(22, hash));
        },
      },
      {
        name: 'c32check',
        run: () => {
          for (const hex of hexes) sink(c32address(22, hex));
        },
      },
    ],
  };
}

const ROUNDS = 9;
const ROUND_MS = 60;

/** Median microseconds per item of each contender; rounds take turns, so that a slow moment hits all alike. */
function measure({ name, unit, items, contenders }: Contest): Map<string, number> {
  const passes = contenders.map(({ run }) => {
    run();
    const start = performance.now();
    run();
    return Math.max(1, Math.round(ROUND_MS / (performance.now() - start)));
  });
  const samples = contenders.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round++) {
    contenders.forEach(({ run }, i) => {
      const start = performance.now();
      for (let pass = 0; pass < passes[i]!; pass++) run();
      samples[i]!.push(((performance.now() - start) * 1000) / passes[i]! / items);
    });
  }
  const medians = new Map(contenders.map((contender, i) => [contender.name, median(samples[i]!)]));
  const ours = medians.get('cairn')!;
  process.stderr.write(`\n${name} (${items} of them)\n`);
  for (const [contender, microseconds] of medians) {
    const factor = contender === 'cairn' ? '' : `   cairn is ${(microseconds / ours).toFixed(1)}×`;
    process.stderr.write(`  ${contender.padEnd(22)}${microseconds.toFixed(2).padStart(9)} µs per ${unit}${factor}\n`);
  }
  return medians;
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1]!;
}

function ratio(medians: Map<string, number>, other: string): number {
  return round(medians.get(other)! / medians.get('cairn')!);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Uses results, so that they are not optimized away. */
let sunk = 0;
function sink(value: string): void {
  sunk = (sunk + value.length) | 0;
}

/** Transactions of recorded node events, if there are recordings next to the project. */
function recordedTransactions(): string[] {
  const folder = '../shared/conformance/datasets';
  if (!existsSync(folder)) return [];
  const found = new Set<string>();
  for (const name of readdirSync(folder)) {
    const file = `${folder}/${name}/events.tsv.gz`;
    if (!existsSync(file)) continue;
    const text = gunzipSync(readFileSync(file)).toString('utf8');
    for (const [, hex] of text.matchAll(/"raw_tx": ?"(0x[0-9a-f]{4,})"/g)) found.add(hex!);
  }
  return [...found];
}

function argumentsOf(hex: string): string[] {
  const { payload } = decodeTransaction(fromHex(hex));
  return payload.type === 'contract_call' ? payload.args.map(toHex) : [];
}

let state = 0x2545f491;
function random(below: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
}

function randomBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random(256));
}

/** A mix as a public chain sees it: mostly calls and transfers, some deploys and tenure changes. */
function generatedTransactions(count: number): string[] {
  return Array.from({ length: count }, () => {
    const call = random(100) < 60;
    const transaction = buildTransaction({
      version: 0,
      chainId: 1,
      origin: condition(),
      ...(random(20) === 0 ? { sponsor: condition() } : {}),
      postConditions: call ? Array.from({ length: random(4) }, postCondition) : [],
      payload: call ? callPayload(contract(), 'swap-x-for-y', args()) : otherPayload(),
    });
    return toHex(encodeTransaction(transaction));
  });
}

function condition(): SpendingCondition {
  const spending = { signer: randomBytes(20), nonce: BigInt(random(5000)), fee: BigInt(random(1_000_000)) };
  if (random(30) > 0) return { hashMode: 0, ...spending, keyEncoding: 'compressed', signature: randomBytes(65) };
  const field = { type: 'signature', keyEncoding: 'compressed', bytes: randomBytes(65) } as const;
  return { hashMode: 1, ...spending, fields: [field, field], signaturesRequired: 2 };
}

function address(): string {
  return formatPrincipal({ version: 22, hash: randomBytes(20) });
}

function contract(): string {
  return `${address()}.amm-pool-v2-${random(20)}`;
}

function postCondition(): PostCondition {
  const principal = { type: 'standard', version: 22, hash: randomBytes(20) } as const;
  const amount = BigInt(random(1e9));
  if (random(2) === 0) return { type: 'stx', principal, condition: 'sent_less_than_or_equal_to', amount };
  const asset = { contract: { version: 22, hash: randomBytes(20), name: 'token-wstx' }, asset: 'wstx' };
  return { type: 'fungible', principal, asset, condition: 'sent_equal_to', amount };
}

function args(): ClarityValue[] {
  const amount = () => clarity.uint(random(2 ** 31) * random(1000));
  const makers = [
    amount,
    amount,
    () => clarity.principal(contract()),
    () => clarity.principal(address()),
    () => clarity.some(clarity.buffer(randomBytes(34))),
    () => clarity.none,
    () => clarity.stringAscii('a note for the receiver'),
    () => clarity.list(Array.from({ length: random(8) }, amount)),
    () =>
      clarity.tuple({ 'pool-id': amount(), 'token-x': clarity.principal(contract()), 'is-open': clarity.bool(true) }),
  ];
  return Array.from({ length: random(7) }, () => makers[random(makers.length)]!());
}

function otherPayload(): Payload {
  const kind = random(40);
  if (kind < 30) return transferPayload(address(), BigInt(random(1e9)), 'thanks');
  if (kind < 32)
    return deployPayload(`contract-${random(100)}`, '(define-public (f) (ok u1))\n'.repeat(random(300)), 3);
  if (kind < 35) {
    return { type: 'nakamoto_coinbase', data: new Uint8Array(32), recipient: undefined, vrfProof: randomBytes(80) };
  }
  return {
    type: 'tenure_change',
    tenureConsensusHash: randomBytes(20),
    previousTenureConsensusHash: randomBytes(20),
    burnViewConsensusHash: randomBytes(20),
    previousTenureEnd: randomBytes(32),
    previousTenureBlocks: random(100),
    cause: 'extended',
    publicKeyHash: randomBytes(20),
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`);
}
