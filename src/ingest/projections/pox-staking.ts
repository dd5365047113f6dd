import { poxVersion } from '../../chain/pox/contract.ts';
import { positionCauses, readStakingPrint, type StakingPrint } from '../../chain/pox/staking-print.ts';
import { columnOf } from '../../chain/print-fields.ts';
import type { Row, Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';

const position = { height: 'int4', place: 'int2', event_index: 'int4' } as const;

const bondsTable: Table = {
  name: 'staking_bonds',
  columns: {
    ...position,
    bond: 'int4',
    first_cycle: 'int4',
    unlock_cycle: 'int4',
    start_height: 'int4',
    unlock_height: 'int4',
    target_rate: 'int8',
    stx_value_ratio: 'int8',
    minimum_stx_ratio: 'int8',
  },
};
const allowancesTable: Table = {
  name: 'staking_allowances',
  columns: { ...position, bond: 'int4', staker: 'principal', max_sats: 'numeric' },
};
const positionsTable: Table = {
  name: 'staking_positions',
  columns: {
    ...position,
    staker: 'principal',
    signer: 'principal',
    bond: 'int4',
    first_cycle: 'int4',
    unlock_cycle: 'int4',
    unlock_height: 'int4',
    cause: 'int2',
    l1: 'bool',
    stx: 'numeric',
    sats: 'numeric',
  },
};
const signersTable: Table = {
  name: 'staking_signers',
  columns: { ...position, signer: 'principal', key: 'bytea' },
};
const grantsTable: Table = {
  name: 'staking_grants',
  columns: { ...position, signer: 'principal', active: 'bool', auth_id: 'numeric', key: 'bytea' },
};
const distributionsTable: Table = {
  name: 'staking_distributions',
  columns: { ...position, bond: 'int4', cycle: 'int4', rewards: 'numeric', shares: 'numeric' },
};
const claimsTable: Table = {
  name: 'staking_claims',
  columns: { ...position, staker: 'principal', bond: 'int4', cycle: 'int4', signer: 'principal', sats: 'numeric' },
};

/** Staking of pox-5: bonds, allowances, positions, signers and rewards, all from prints. */
export const poxStaking: Projection = {
  tables: [bondsTable, allowancesTable, positionsTable, signersTable, grantsTable, distributionsTable, claimsTable],

  apply({ height, transactions, names }, _totals, _chain, rows) {
    for (const { events, txPosition } of transactions) {
      for (const { source, index } of events) {
        if (source.kind !== 'print' || poxVersion(source.contract) !== 5) continue;
        const print = readStakingPrint(source.value);
        if (!print) continue;
        const row = rowOf(print, name => (name === undefined ? 0 : names.principal(name)));
        if (row) rows.add(row[0], [height, txPosition, index, ...row[1]]);
      }
    }
  },
};

/** The table a print belongs to, and its columns after the position; a claim of a signer is in `staking_signer_claims`. */
function rowOf(print: StakingPrint, key: (name: string | undefined) => number): [Table, Row] | undefined {
  switch (print.kind) {
    case 'bond':
      return [
        bondsTable,
        [
          columnOf(print.bond),
          columnOf(print.firstCycle),
          columnOf(print.unlockCycle),
          columnOf(print.startHeight),
          columnOf(print.unlockHeight),
          atMost(print.targetRate),
          atMost(print.stxValueRatio),
          atMost(print.minimumStxRatio),
        ],
      ];
    case 'allowance':
      return [allowancesTable, [columnOf(print.bond), key(print.staker), print.maxSats]];
    case 'position':
      return [
        positionsTable,
        [
          key(print.staker),
          key(print.signer),
          columnOf(print.bond),
          columnOf(print.firstCycle),
          columnOf(print.unlockCycle),
          columnOf(print.unlockHeight),
          positionCauses[print.cause],
          print.l1,
          print.stx ?? null,
          print.sats ?? null,
        ],
      ];
    case 'signer':
      return [signersTable, [key(print.signer), print.key]];
    case 'grant':
      return [grantsTable, [key(print.signer), print.active, print.authId, print.key]];
    case 'distribution':
      return [distributionsTable, [columnOf(print.bond), columnOf(print.cycle), print.rewards, print.shares]];
    case 'claim':
      return [
        claimsTable,
        [key(print.staker), columnOf(print.bond), columnOf(print.cycle), key(print.signer), print.sats],
      ];
    case 'signer claim':
      return undefined;
  }
}

/** Parameters of a bond are small; one that is not is shown as the largest number JSON can hold. */
const atMost = (value: bigint): bigint =>
  value > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : value;
