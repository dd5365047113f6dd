import type { Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { findBlock } from '../../read/blocks/blocks-queries.ts';
import { findLoggedBlock, orphanBlockRow } from '../../read/blocks/logged-blocks-queries.ts';
import type { Transaction } from '../../read/transactions/transactions-queries.ts';
import {
  assertIndex,
  checkIdentifier,
  findNamedBlock,
  hashOf,
  identifierOf,
  type ShownHash,
} from '../block-identifier.ts';
import { orphanBlock, readBlock, readCredits, readOrphan, readPart } from '../blocks.ts';
import type { RosettaContext } from '../context.ts';
import { RosettaError } from '../errors.ts';
import { findGenesisParent } from '../queries/blocks.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';
import {
  type RosettaBlock,
  RosettaBlockRequest,
  RosettaBlockResponse,
  RosettaBlockTransactionRequest,
  RosettaCompatBlockRequest,
  RosettaTransactionResponse,
} from '../schemas/block.ts';
import { RosettaTransaction } from '../schemas/rosetta.ts';
import { readPartIdentifier } from '../transaction-parts.ts';

/** A missing item is an internal error for these two, as clients of the incumbent expect. */
const NOT_FOUND = 500;

export function blockRoutes(context: RosettaContext): RosettaRoute[] {
  return [blockRoute(context), blockTransactionRoute(context)];
}

function blockRoute(options: RosettaContext): RosettaRoute {
  return rosettaRoute({
    path: '/block',
    operationId: 'rosetta_block',
    summary: 'Get a block',
    description:
      'Returns a block with all operations that changed a balance in it. Mining rewards and unlocks are operations ' +
      'of the coinbase transaction; in a block without a coinbase they belong to a transaction that has the hash of ' +
      'the block. Of a very large block the rest is named by `other_transactions`; operations of all of them add up to ' +
      'the changes of the block.',
    cost: 5,
    request: options.compat ? RosettaCompatBlockRequest : RosettaBlockRequest,
    response: RosettaBlockResponse,
    async handler({ block_identifier: named }, sql) {
      return await inSnapshot(sql, async sql => {
        const block = await findNamedBlock(sql, named, options.compat);
        if (block) {
          const { block: shown, others } = await readBlock(sql, block, options);
          return { block: shown, ...(others.length > 0 && { other_transactions: others.map(hash => ({ hash })) }) };
        }
        const aside = options.compat
          ? await findCompatAside(sql, named.hash)
          : await findBlockZero(sql, named, options.blockHash);
        if (!aside) throw new RosettaError(605, undefined, NOT_FOUND);
        return { block: aside };
      });
    },
  });
}

/** The block before the first one, of which only the identifier is shown. */
async function findBlockZero(sql: Sql, { index, hash }: Named, shown?: ShownHash): Promise<RosettaBlock | undefined> {
  if (hash === undefined && index !== 0) return undefined;
  const genesis = await findGenesisParent(sql, hash === undefined ? undefined : hashOf(hash, 606));
  if (!genesis) return undefined;
  if (hash !== undefined) assertIndex(index, 0, hash);
  const block_identifier = identifierOf({ height: 0, ...genesis }, shown);
  return {
    block_identifier,
    parent_block_identifier: block_identifier,
    timestamp: genesis.burn_time * 1000,
    transactions: [],
    metadata: { burn_block_height: genesis.burn_height },
  };
}

/** The incumbent also shows blocks that a fork has removed. */
async function findCompatAside(sql: Sql, hash: string | undefined): Promise<RosettaBlock | undefined> {
  if (!hash) return undefined;
  const zero = await findBlockZero(sql, { hash });
  if (zero) return zero;
  const orphan = await findLoggedBlock(sql, { hash: hashOf(hash, 606) });
  return orphan && orphanBlock(orphanBlockRow(orphan));
}

function blockTransactionRoute(options: RosettaContext): RosettaRoute {
  return rosettaRoute({
    path: '/block/transaction',
    operationId: 'rosetta_block_transaction',
    summary: 'Get a transaction of a block',
    description:
      'Returns one transaction with its operations. Error 607 means that the block does not hold it. Of a transaction with ' +
      'very many events it returns the part that the identifier names, and `part` and `parts` in its metadata.',
    request: RosettaBlockTransactionRequest,
    response: options.compat ? RosettaTransaction : RosettaTransactionResponse,
    async handler({ block_identifier, transaction_identifier: { hash } }, sql) {
      const transaction = await inSnapshot(sql, sql => find(sql, hash, block_identifier));
      // The incumbent does not wrap it.
      return options.compat ? transaction : { transaction };
    },
  });

  async function find(sql: Sql, hash: string, named: Named): Promise<RosettaTransaction> {
    if (!options.compat) checkIdentifier(named);
    const found = options.compat && hash === '' ? undefined : await findNamed(sql, hash, named);
    if (!found) throw new RosettaError(607, undefined, NOT_FOUND);
    return found;
  }

  async function findNamed(sql: Sql, hash: string, named: Named): Promise<RosettaTransaction | undefined> {
    // The incumbent ignores the block.
    const isNamed = options.compat ? () => true : await namedBlock(sql, named);
    const isIn = (mined: Transaction) => isNamed(mined.height);
    const found = await readPart(sql, hash, options, isIn);
    if (found) return found;
    const { hash: id, number } = readPartIdentifier(hash);
    if (options.compat) return await readOrphan(sql, hashOf(hash, 608), options);
    const block = number === 1 ? await findBlock(sql, { hash: hashOf(id, 608) }) : undefined;
    return block && isNamed(block.height) ? await readCredits(sql, block, options) : undefined;
  }
}

type Named = { index?: unknown; hash?: string | undefined };

/** Says of a height whether a request names that block, or no other one. */
async function namedBlock(sql: Sql, { index, hash }: Named): Promise<(height: number) => boolean> {
  const block = hash ? await findBlock(sql, { hash: hashOf(hash, 606) }) : undefined;
  return height => (index ?? height) === height && (!hash || block?.height === height);
}
