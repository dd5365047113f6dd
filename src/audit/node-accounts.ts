import { setTimeout as sleep } from 'node:timers/promises';
import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { sha512_256 } from '@cairn-stacks/codec/hash';
import type { Pool, Sql } from '../db/client.ts';
import { inSnapshot } from '../db/pool/snapshot.ts';
import { UsageError } from '../errors.ts';
import type { Finding } from './finding.ts';

const timeoutMs = 10_000;
/** No block has this id: a node that responds for it ignores the requested tip. */
const noBlock = 'ff'.repeat(32);

type AccountRow = { name: Buffer; balance: string };
/** Accounts of this index at one block. */
type Sample = { height: number; indexHash: string; accounts: AccountRow[] };

export type CompareOptions = { tries?: number; pauseMs?: number };

/**
 * Compares the largest and the smallest accounts with those of a node, at one block that both have. The chain may move
 * meanwhile: the node is queried at our block, and where it does not support that, until both are at the same block.
 */
export async function compareWithNode(
  pool: Pool,
  url: string,
  size: number,
  { tries = 30, pauseMs = 1000 }: CompareOptions = {},
): Promise<Finding[]> {
  const node = url.replace(/\/+$/, '');
  for (let left = tries; left > 0; left--) {
    const sample = await inSnapshot(pool, sql => readSample(sql, size));
    const findings = await compareAt(node, sample);
    if (findings) return findings;
    if (left > 1) await sleep(pauseMs);
  }
  throw new UsageError(`in ${tries} tries the node and this index were never seen at one block: compare them later`);
}

async function readSample(sql: Sql, size: number): Promise<Sample> {
  const half = Math.ceil(size / 2);
  const [tip] = await sql<{ height: number; index_hash: Buffer }[]>`
    select p.height, p.index_hash
    from fold_position p
  `;
  const accounts = await sql<AccountRow[]>`
    (select p.name, h.balance from holders h join principals p on p.id = h.principal
     where h.asset = 0 order by h.balance desc limit ${half})
    union
    (select p.name, h.balance from holders h join principals p on p.id = h.principal
     where h.asset = 0 order by h.balance limit ${half})
  `;
  return { height: tip!.height, indexHash: tip!.index_hash.toString('hex'), accounts };
}

/** Undefined when the two were not compared at one block. */
async function compareAt(node: string, { height, indexHash, accounts }: Sample): Promise<Finding[] | undefined> {
  const before = await askTip(node);
  if (before.height < height) return undefined;
  const pinned = accounts.length > 0 && (await askBalance(node, accounts[0]!, noBlock)) === undefined;
  const findings: Finding[] = [];
  for (const account of accounts) {
    const total = await askBalance(node, account, indexHash);
    if (total === undefined) return undefined;
    if (total === BigInt(account.balance)) continue;
    const message = `${account.balance} here, ${total} at the node, at block ${height}`;
    findings.push({ check: 'node accounts', subject: principalFromBytes(account.name), message });
  }
  if (findings.length === 0 || pinned) return findings;
  const after = await askTip(node);
  return before.indexHash === indexHash && after.indexHash === indexHash ? findings : undefined;
}

async function askTip(node: string): Promise<{ height: number; indexHash: string }> {
  const url = `${node}/v2/info`;
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new UsageError(`${url} returned status ${response.status}`);
  const info = (await response.json()) as Record<string, unknown>;
  const tip = Buffer.from(`${info.stacks_tip}${info.stacks_tip_consensus_hash}`, 'hex');
  return { height: Number(info.stacks_tip_height), indexHash: Buffer.from(sha512_256(tip)).toString('hex') };
}

/** The balance of an account at a block, locked STX included; undefined where the node does not have the block. */
async function askBalance(node: string, { name }: AccountRow, tip: string): Promise<bigint | undefined> {
  const url = `${node}/v2/accounts/${principalFromBytes(name)}?proof=0&tip=${tip}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (response.status === 404 || response.status === 400) {
    await response.arrayBuffer();
    return undefined;
  }
  if (!response.ok) throw new UsageError(`${url} returned status ${response.status}`);
  const { balance, locked } = (await response.json()) as { balance: string; locked: string };
  return BigInt(balance) + BigInt(locked);
}
