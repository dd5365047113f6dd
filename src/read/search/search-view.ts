import { isPrincipal, principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import type { Reader, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { PublicError } from '../../errors.ts';
import { findBlockContents } from '../blocks/block-contents-queries.ts';
import { renderBlock } from '../blocks/block-schema.ts';
import { findBlockByHash } from '../blocks/blocks-queries.ts';
import { findLoggedBlock, findOrphanContents, orphanBlockRow } from '../blocks/logged-blocks-queries.ts';
import { findDeploy } from '../contracts/contracts-queries.ts';
import { findPendingDeploy } from '../mempool/mempool-queries.ts';
import { renderMempoolTransaction } from '../mempool/mempool-transaction-schema.ts';
import { renderStxBalance } from '../principals/balance-schema.ts';
import { hasHistory } from '../principals/principals-queries.ts';
import { findStxBalance } from '../principals/stx-balances-queries.ts';
import type { ReadCaches } from '../read-caches.ts';
import { findTransactions } from '../transactions/lookup-queries.ts';
import { findOrphanTransaction } from '../transactions/orphan-transactions-queries.ts';
import { renderTransaction } from '../transactions/transaction-schema.ts';
import {
  renderFoundAccount,
  renderFoundBlock,
  renderFoundContract,
  renderFoundTransaction,
  renderFoundWaiting,
  type SearchFound,
} from './search-schema.ts';

type Found = SearchFound['result'];

/** The metadata of a result is shown, with interfaces from these caches; undefined where it is not. */
type Metadata = ReadCaches | undefined;

const noEvents = { offset: 0, limit: 0 };

/** The block, transaction, contract or account that a hash or a principal names; 404 where there is none. */
export const searchById = (caches: ReadCaches, sql: Reader, term: string, withMetadata: boolean): Promise<Found> =>
  inSnapshot(sql, sql => find(sql, term, withMetadata ? caches : undefined));

async function find(sql: Sql, term: string, metadata: Metadata): Promise<Found> {
  if (/^(0x)?[0-9a-f]{64}$/i.test(term)) {
    const hash = fromHex(term);
    const found = (await findTransaction(sql, hash, metadata)) ?? (await findBlock(sql, hash, metadata));
    if (found) return found;
    throw missed('unknown_hash', `No block or transaction found with hash "${toHex(hash)}"`);
  }
  if (!isPrincipal(term)) {
    const forms = 'a valid block hash, transaction ID, contract principal, or account address principal';
    throw missed('invalid_term', `The term "${term}" is not ${forms}`);
  }
  const principal = principalToBytes(term);
  const contract = term.includes('.');
  const found = await (contract ? findContract(sql, principal, metadata) : findAccount(sql, principal, metadata));
  if (found) return found;
  throw missed(contract ? 'contract_address' : 'standard_address', `No principal found with address "${term}"`);
}

async function findTransaction(sql: Sql, id: Uint8Array, metadata: Metadata): Promise<Found | undefined> {
  const [known] = (
    await findTransactions(sql, [id], { events: noEvents, unanchored: true, interfaces: metadata?.interfaces })
  ).values();
  if (!known) {
    const orphan = await findOrphanTransaction(sql, id, noEvents, { side: true, withoutInterface: !metadata });
    return orphan && renderFoundTransaction(renderTransaction(orphan.transaction), metadata !== undefined);
  }
  // Without metadata, a copy in an orphaned block has always come before the one that is pending again.
  const orphan =
    'waiting' in known &&
    !metadata &&
    (await findOrphanTransaction(sql, id, noEvents, { side: true, withoutInterface: !metadata }));
  if (orphan) return renderFoundTransaction(renderTransaction(orphan.transaction), metadata !== undefined);
  if (!('waiting' in known))
    return renderFoundTransaction(renderTransaction(known.transaction), metadata !== undefined);
  // Nor has it ever found a dropped one.
  if (!metadata && known.waiting.status === mempoolStatus.dropped) return undefined;
  return renderFoundWaiting(renderMempoolTransaction(known.waiting), metadata !== undefined);
}

/** A canonical block, or else the orphan that the log has. */
async function findBlock(sql: Sql, hash: Uint8Array, metadata: Metadata): Promise<Found | undefined> {
  const row = await findBlockByHash(sql, hash);
  if (row) {
    const contents = await findBlockContents(sql, row.height);
    return renderFoundBlock(renderBlock(row, contents), metadata !== undefined);
  }
  // Zero bytes stand for no block, although a block 0 may name them as its hash.
  if (hash.every(byte => byte === 0)) return undefined;
  const block = await findLoggedBlock(sql, { hash });
  if (!block) return undefined;
  return renderFoundBlock(
    renderBlock(orphanBlockRow(block), await findOrphanContents(sql, block)),
    metadata !== undefined,
  );
}

/** A pending deploy wins: its outcome is what the caller waits for. */
async function findContract(sql: Sql, contract: Uint8Array, metadata: Metadata): Promise<Found | undefined> {
  const id = principalFromBytes(contract);
  const waiting = await findPendingDeploy(sql, contract);
  if (waiting) return renderFoundContract(id, renderMempoolTransaction(waiting), metadata !== undefined);
  const deployed = await findDeploy(sql, contract);
  if (!deployed) return undefined;
  const options = { events: noEvents, unanchored: true, interfaces: metadata?.interfaces };
  const [known] = (await findTransactions(sql, [deployed.tx_id], options)).values();
  if (!known || 'waiting' in known) return undefined;
  return renderFoundContract(id, renderTransaction(known.transaction), metadata !== undefined);
}

async function findAccount(sql: Sql, account: Uint8Array, metadata: Metadata): Promise<Found | undefined> {
  if (!(await hasHistory(sql, account))) return undefined;
  const balance = metadata ? await findStxBalance(sql, account, 'tip') : undefined;
  return renderFoundAccount(principalFromBytes(account), balance && renderStxBalance(balance));
}

const missed = (type: string, error: string) =>
  new PublicError(404, error, { found: false, result: { entity_type: type }, error });
