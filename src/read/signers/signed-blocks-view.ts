import { setImmediate } from 'node:timers/promises';
import { bareHex } from '@cairn-stacks/codec/hex';
import { findTipHeight } from '../../cache/tip-queries.ts';
import { cycleAt, type PoxGeometry } from '../../chain/pox/geometry.ts';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import type { ReadCaches } from '../read-caches.ts';
import type { RouteContext } from '../route-context.ts';
import { responsesByHash } from './block-proposal-schema.ts';
import { findProposals, listResponses, type ProposalRow, type ResponseRow } from './proposals-queries.ts';
import { type BlockVoting, renderSignedBlock, type SignedBlock } from './signed-block-schema.ts';
import { findSignedBlock, listSignedBlocks, type SignedBlockRow } from './signed-blocks-queries.ts';
import { listSignerSets } from './signer-set-queries.ts';
import { emptySet, type SignerSet, signerSets } from './signer-set-schema.ts';

const SIGNATURE_BYTES = 65;

type Sources = Pick<RouteContext, 'caches' | 'poxGeometry'>;

/** Rows of one snapshot; keys are recovered after it, since that takes time. */
type Votes = { row: SignedBlockRow; voting: Omit<BlockVoting, 'signed'> | undefined };

/** A page of canonical blocks with their votes, newest first. */
export async function listSignedBlockPage(
  { caches, poxGeometry }: Sources,
  sql: Reader,
  { limit, offset }: { limit: number; offset: number },
) {
  const geometry = await poxGeometry();
  const { tip, votes } = await inSnapshot(sql, async snapshot => {
    const tip = Math.max(0, await findTipHeight(snapshot));
    const rows = offset < tip ? await listSignedBlocks(snapshot, tip - offset, limit) : [];
    return { tip, votes: await readVotes(snapshot, rows, geometry) };
  });
  return { total: tip, limit, offset, results: await renderAll(caches, votes) };
}

/** The newest block, or one of a height or a hash. */
export async function findSignedBlockVotes(
  { caches, poxGeometry }: Sources,
  sql: Reader,
  key: 'latest' | { height: number } | { hash: Uint8Array },
): Promise<SignedBlock> {
  const geometry = await poxGeometry();
  const votes = await inSnapshot(sql, async snapshot => {
    const row = await findRow(snapshot, key);
    return await readVotes(snapshot, row ? [row] : [], geometry);
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

/** A block with its proposal, and the cycle whose signers sign it. */
type Proposed = { row: SignedBlockRow; proposal: ProposalRow; cycle: number };

async function readVotes(
  sql: Sql,
  rows: readonly SignedBlockRow[],
  geometry: PoxGeometry | undefined,
): Promise<Votes[]> {
  const proposals = await findProposals(
    sql,
    rows.map(({ hash }) => hash),
  );
  const proposalOf = new Map(proposals.map(proposal => [bareHex(proposal.hash), proposal]));
  const electedIn = ({ burn_height }: SignedBlockRow) => (geometry ? [cycleAt(geometry, burn_height)] : []);
  const cycles = [...rows.flatMap(electedIn), ...proposals.map(({ cycle }) => cycle)];
  const sets = signerSets(await listSignerSets(sql, cycles));
  const found = rows.map((row): Proposed | { row: SignedBlockRow } => {
    const proposal = proposalOf.get(bareHex(row.hash));
    if (!proposal) return { row };
    // A tenure is signed by the set of the Bitcoin block that elected its miner, however long it is extended. What the proposal
    // says counts where that set is unknown.
    return { row, proposal, cycle: electedIn(row).find(cycle => sets.has(cycle)) ?? proposal.cycle };
  });
  const proposed = found.flatMap(each => ('cycle' in each ? [{ hash: each.row.hash, cycle: each.cycle }] : []));
  const byHash = responsesByHash(await listResponses(sql, proposed));
  return found.map(each => {
    if (!('cycle' in each)) return { row: each.row, voting: undefined };
    const { row, proposal, cycle } = each;
    const set = sets.get(cycle) ?? emptySet;
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
