import { toHex } from '@cairn-stacks/codec/hex';
import { mempoolStatus } from '../../chain/mempool/mempool.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { findMempoolTransactions } from '../../read/mempool/mempool-queries.ts';
import { type MempoolTransaction, renderMempoolTransaction } from '../../read/mempool/mempool-transaction-schema.ts';
import { hashOf } from '../block-identifier.ts';
import type { RosettaContext } from '../context.ts';
import { RosettaError } from '../errors.ts';
import { transactionOf } from '../operations/operations.ts';
import { poxOperationType } from '../operations/pox-operations.ts';
import { mapPaced, Pace } from '../pace.ts';
import { listPendingIds } from '../queries/blocks.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';
import {
  RosettaMempoolResponse,
  RosettaMempoolTransactionRequest,
  RosettaMempoolTransactionResponse,
} from '../schemas/block.ts';
import { RosettaNetworkRequest } from '../schemas/network.ts';

/** More than a node's mempool holds; it limits the size of a response. */
const MAX_PENDING = 100_000;

export function mempoolRoutes({ network, compat, interfaces }: RosettaContext): RosettaRoute[] {
  return [
    rosettaRoute({
      path: '/mempool',
      operationId: 'rosetta_mempool',
      summary: 'List pending transactions',
      description: 'Returns the ids of at most 100,000 pending transactions, newest first.',
      cost: 3,
      request: RosettaNetworkRequest,
      response: RosettaMempoolResponse,
      async handler(_request, sql) {
        // Uses its own connection, so that no statement waits behind so many rows.
        const ids = await inSnapshot(sql, sql => listPendingIds(sql, MAX_PENDING));
        return { transaction_identifiers: await mapPaced(ids, new Pace(), id => ({ hash: toHex(id) })) };
      },
    }),
    rosettaRoute({
      path: '/mempool/transaction',
      operationId: 'rosetta_mempool_transaction',
      summary: 'Get a pending transaction',
      description:
        'Returns a pending transaction with its expected operations. Error 607 means that it is not pending.',
      request: RosettaMempoolTransactionRequest,
      response: RosettaMempoolTransactionResponse,
      async handler({ transaction_identifier: { hash } }, sql) {
        const id = hashOf(hash, 608);
        const [row] = (await findMempoolTransactions(sql, [id], interfaces)).values();
        if (row?.status !== mempoolStatus.pending) throw new RosettaError(607);
        const source = renderMempoolTransaction(row);
        return { transaction: transactionOf(compat ? compatSource(source) : source, { network, compat }) };
      },
    }),
  ];
}

/** The incumbent omits the status of operations there, and fails without a result if STX are to be locked. */
function compatSource(source: MempoolTransaction): MempoolTransaction {
  if (source.tx_type === 'contract_call' && poxOperationType(source.contract_call, true) === 'stack_stx') {
    throw new RosettaError(612);
  }
  return { ...source, tx_status: '' };
}
