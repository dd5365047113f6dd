import { poxVersion } from '../../chain/pox/contract.ts';
import { registryNumber, spendableAsset } from '../../chain/sbtc/registry.ts';
import { type RegistryPrint, readRegistryPrint } from '../../chain/sbtc/registry-print.ts';
import { withdrawalStatuses } from '../../chain/sbtc/withdrawal-status.ts';
import type { Table } from '../../db/table.ts';
import type { Projection, Rows } from '../rows/projection.ts';
import type { ResolvedBlock, ResolvedEvent, ResolvedTransaction } from '../rows/resolved-block.ts';
import { loaded, type RunningTotals } from '../rows/running-totals.ts';
import { type SbtcTotals, sbtcTotals, sbtcTotalsTable } from './sbtc-totals.ts';
import {
  addState,
  outcomes,
  type PrintPosition,
  presentWithdrawals,
  withdrawalKey,
  withdrawalStates,
  withdrawalStatesTable,
} from './sbtc-withdrawals.ts';

const depositsTable: Table = {
  name: 'sbtc_deposits',
  columns: {
    height: 'int4',
    event_index: 'int4',
    recipient: 'principal',
    vout: 'int4',
    burn_height: 'int4',
    place: 'int2',
    registry: 'int2',
    staking: 'bool',
    amount: 'numeric',
    tx_id: 'bytea',
    sweep_tx_id: 'bytea',
    burn_hash: 'bytea',
  },
};
const movementsTable: Table = {
  name: 'sbtc_movements',
  columns: {
    height: 'int4',
    event_index: 'int4',
    principal: 'principal',
    place: 'int2',
    registry: 'int2',
    kind: 'int2',
  },
};
const rotationsTable: Table = {
  name: 'sbtc_key_rotations',
  columns: {
    height: 'int4',
    event_index: 'int4',
    signer: 'principal',
    threshold: 'int4',
    place: 'int2',
    registry: 'int2',
    aggregate_key: 'bytea',
    keys: 'bytea',
  },
};
const contractsTable: Table = {
  name: 'sbtc_contracts',
  columns: {
    height: 'int4',
    event_index: 'int4',
    contract: 'principal',
    place: 'int2',
    registry: 'int2',
    role: 'int2',
  },
};

/** sBTC as its registry tells it: deposits, withdrawals, keys of the signers, contracts of the protocol. */
export const sbtcRegistry: Projection = {
  tables: [depositsTable, withdrawalStatesTable, movementsTable, rotationsTable, contractsTable, sbtcTotalsTable],
  currents: [presentWithdrawals],
  totals: [withdrawalStates, sbtcTotals],

  wants({ transactions }, want) {
    for (const { events } of transactions) {
      for (const event of events) {
        const registry = registryOf(event);
        const print = registry > 0 ? readRegistryPrint(event.value) : undefined;
        if (!print) continue;
        want(sbtcTotals, registry, 0);
        if ('request' in print) want(withdrawalStates, withdrawalKey(registry, print.request), 0);
      }
    }
  },

  apply(block, totals, _chain, rows) {
    const changed = new Set<number>();
    for (const transaction of block.transactions) {
      for (const event of transaction.events) {
        const registry = registryOf(event);
        const print = registry > 0 ? readRegistryPrint(event.value) : undefined;
        if (!print) continue;
        new Registry(registry, { block, totals, rows }).add(print, transaction, event);
        changed.add(registry);
      }
    }
    for (const registry of changed) {
      const { deposits, requests, accepted, rejected, ...sums } = loaded(totals.of(sbtcTotals), registry);
      const { deposited, requested, withdrawn, returned, fees } = sums;
      rows.add(sbtcTotalsTable, [
        ...[block.height, deposits, requests, accepted, rejected, registry],
        ...[deposited, requested, withdrawn, returned, fees],
      ]);
    }
  },
};

const registryOf = ({ source }: ResolvedEvent): number =>
  source.kind === 'print' ? registryNumber(source.contract) : 0;

/** Kinds of rows in the list of a principal. Never renumber. */
const movements = { deposit: 1, withdrawal: 2 } as const;

type Fold = { block: ResolvedBlock; totals: RunningTotals; rows: Rows };

/** Adds the rows of prints of one registry. */
class Registry {
  readonly #registry: number;
  readonly #fold: Fold;

  constructor(registry: number, fold: Fold) {
    this.#registry = registry;
    this.#fold = fold;
  }

  get #totals(): SbtcTotals {
    return loaded(this.#fold.totals.of(sbtcTotals), this.#registry);
  }

  add(print: RegistryPrint, transaction: ResolvedTransaction, event: ResolvedEvent): void {
    const { block, rows } = this.#fold;
    const at: PrintPosition = { height: block.height, place: transaction.txPosition, index: event.index };
    const position = [at.height, at.index] as const;
    switch (print.kind) {
      case 'deposit':
        this.#deposit(print, at, mintBefore(transaction, event, spendableAsset(this.#registry), print.amount));
        break;
      case 'request':
        this.#request(print, at);
        break;
      case 'acceptance':
      case 'rejection':
        this.#resolve(print, at);
        break;
      case 'rotation': {
        const { signer, threshold, aggregateKey, keys } = print;
        const row = [...position, block.names.principal(signer), threshold, at.place, this.#registry];
        rows.add(rotationsTable, [...row, aggregateKey, keys]);
        break;
      }
      case 'contract': {
        const contract = block.names.principal(print.contract);
        rows.add(contractsTable, [...position, contract, at.place, this.#registry, print.role]);
        break;
      }
    }
  }

  #deposit(
    { txId, vout, amount, sweep }: Extract<RegistryPrint, { kind: 'deposit' }>,
    at: PrintPosition,
    mint: ResolvedEvent | undefined,
  ): void {
    const { rows } = this.#fold;
    const recipient = mint?.recipient ?? 0;
    const to = mint && 'recipient' in mint.source ? mint.source.recipient : '';
    rows.add(depositsTable, [
      ...[at.height, at.index, recipient, vout, sweep.burnHeight, at.place, this.#registry],
      ...[poxVersion(to) === 5, amount, txId, sweep.txId, sweep.burnHash],
    ]);
    if (recipient > 0) this.#move(recipient, at, movements.deposit);
    const totals = this.#totals;
    totals.deposits++;
    totals.deposited += amount;
  }

  #request(
    { request, amount, maxFee, sender, recipient, burnHeight }: Extract<RegistryPrint, { kind: 'request' }>,
    at: PrintPosition,
  ): void {
    const { totals, block, rows } = this.#fold;
    const state = loaded(totals.of(withdrawalStates), withdrawalKey(this.#registry, request));
    // The registry gives each number once.
    if (state.known) return;
    state.known = {
      ...{ status: withdrawalStatuses.pending, at, burnHeight, amount, maxFee },
      ...{ sender: block.names.principal(sender), version: recipient.version, hash: recipient.hash },
    };
    addState(rows, { registry: this.#registry, request }, at, state.known);
    this.#move(state.known.sender, at, movements.withdrawal);
    const sums = this.#totals;
    sums.requests++;
    sums.requested += amount;
  }

  /** A withdrawal that was requested before the first block of these tables stays unknown. */
  #resolve(print: Extract<RegistryPrint, { kind: 'acceptance' | 'rejection' }>, at: PrintPosition): void {
    const { totals, rows } = this.#fold;
    const { request } = print;
    const { known } = loaded(totals.of(withdrawalStates), withdrawalKey(this.#registry, request));
    if (known?.status !== withdrawalStatuses.pending) return;
    known.status = outcomes[print.kind];
    const acceptance = print.kind === 'acceptance' ? print : undefined;
    addState(rows, { registry: this.#registry, request }, at, known, acceptance);
    const sums = this.#totals;
    if (acceptance) {
      sums.accepted++;
      sums.withdrawn += known.amount;
      sums.fees += acceptance.fee;
    } else {
      sums.rejected++;
      sums.returned += known.amount;
    }
  }

  #move(principal: number, { height, place, index }: PrintPosition, kind: number): void {
    this.#fold.rows.add(movementsTable, [height, index, principal, place, this.#registry, kind]);
  }
}

/** The mint directly before a print, if it is one of this asset and amount: a deposit names no recipient. */
function mintBefore(
  { events }: ResolvedTransaction,
  { index }: ResolvedEvent,
  asset: string,
  amount: bigint,
): ResolvedEvent | undefined {
  const before = events[index - 1];
  if (before?.source.kind !== 'ft_mint') return undefined;
  return before.source.asset === asset && before.amount === amount ? before : undefined;
}
