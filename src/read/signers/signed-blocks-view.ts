import { setImmediate } from 'node:timers/promises';
import { bareHex } from '@cairn-stacks/codec/hex';
import { findTipHeight } from '../../cache/tip-queries.ts';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import type { ReadCaches } from '../read-caches.ts';
import { responsesByHash } from './block-proposal-schema.ts';
import { findProposals, listResponses, type ResponseRow } from './proposals-queries.ts';
import { type BlockVoting, renderSignedBlock, type SignedBlock } from './signed-block-schema.ts';
import { findSignedBlock, listSignedBlocks, type SignedBlockRow } from './signed-blocks-queries.ts';
import { listSignerSets } from './signer-set-queries.ts';
import { emptySet, type SignerSet, signerSets } from './signer-set-schema.ts';

const SIGNATURE_BYTES = 65;

/** Rows of one snapshot; keys are recovered after it, since that takes time. */
type Votes = { row: SignedBlockRow; voting: Omit<BlockVoting, 'signed'> | undefined };

/** A page of canonical blocks with their votes, newest first. */
export async function listSignedBlockPage(
  caches: ReadCaches,
  sql: Reader,
  { limit, offset }: { limit: number; offset: number },
) {
  const { tip, votes } = await inSnapshot(sql, async snapshot => {
    const tip = Math.max(0, await findTipHeight(snapshot));
    const rows = offset < tip ? await listSignedBlocks(snapshot, tip - offset, limit) : [];
    return { tip, votes: await readVotes(snapshot, rows) };
  });
  return { total: tip, limit, offset, results: await renderAll(caches, votes) };
}

/** The newest block, or one of a height or a hash. */
export async function findSignedBlockVotes(
  caches: ReadCaches,
  sql: Reader,
  key: 'latest' | { height: number } | { hash: Uint8Array },
): Promise<SignedBlock> {
  const votes = await inSnapshot(sql, async snapshot => {
    const row = await findRow(snapshot, key);
    return await readVotes(snapshot, row ? [row] : []);
  });
  const [block] = await renderAll(caches, votes);
  if (!block) throw notFound('Block not found');
  return block;
}

async function findRow(sql: Sql, key: 'latest' | { height: number } | { hash: Uint8Array }) {
  if (key !== 'latest' && 'hash' in key) return await findSignedBlock(sql, key.hash);
  const height = key === 'latest' ? await findTipHeight(sql) : key.height;
  const [row] = await listSignedBlocks(sql, height, 1);
  return row?.height === height ? row : undefined;
}

async function readVotes(sql: Sql, rows: readonly SignedBlockRow[]): Promise<Votes[]> {
  const hashes = rows.map(({ hash }) => hash);
  const [proposals, responses] = await Promise.all([findProposals(sql, hashes), listResponses(sql, hashes)]);
  const cycles = proposals.map(({ cycle }) => cycle);
  const sets = signerSets(await listSignerSets(sql, cycles));
  const byHash = responsesByHash(responses);
  const proposalOf = new Map(proposals.map(proposal => [bareHex(proposal.hash), proposal]));
  return rows.map(row => {
    const proposal = proposalOf.get(bareHex(row.hash));
    if (!proposal) return { row, voting: undefined };
    const set = sets.get(proposal.cycle) ?? emptySet;
    return { row, voting: { proposal, set, responses: byHash.get(bareHex(row.hash)) ?? [] } };
  });
}

async function renderAll(caches: ReadCaches, votes: readonly Votes[]): Promise<SignedBlock[]> {
  const blocks: SignedBlock[] = [];
  for (const { row, voting } of votes) {
    const signed = voting && (await signedSlots(caches, row, voting.set, voting.responses));
    blocks.push(renderSignedBlock(row, voting && signed && { ...voting, signed }));
  }
  return blocks;
}

/**
 * The slots whose signatures are in a block. Most are known from the responses, which carry the same signatures; of the others
 * the key is recovered.
 */
async function signedSlots(
  { recoveredKeys }: ReadCaches,
  { hash, signatures }: SignedBlockRow,
  set: SignerSet,
  responses: readonly ResponseRow[],
): Promise<Set<number>> {
  const known = new Map(responses.map(({ signature, slot, accepted }) => [accepted ? signature : undefined, slot]));
  const slotOfKey = new Map(set.signers.map(({ key, slot }) => [bareHex(key), slot]));
  const slots = new Set<number>();
  for (let at = 0; at + SIGNATURE_BYTES <= signatures.length; at += SIGNATURE_BYTES) {
    let slot = known.get(signatures.readBigInt64BE(at + 1));
    if (slot === undefined) {
      await setImmediate();
      slot = slotOfKey.get(recoveredKeys.keyOf(hash, signatures.subarray(at, at + SIGNATURE_BYTES)) ?? '');
    }
    if (slot !== undefined) slots.add(slot);
  }
  return slots;
}
