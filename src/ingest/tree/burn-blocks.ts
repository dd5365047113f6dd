import { arrayLiteral } from '../../db/client.ts';
import type { Flush } from '../../db/flush.ts';
import type { Table } from '../../db/table.ts';
import type { BurnBlock } from '../../node/messages.ts';
import type { Batch } from '../rows/batch.ts';
import type { RollbackTables } from '../rows/rollback.ts';

const burnBlocksTable: Table = {
  name: 'burn_blocks',
  columns: { height: 'int4', burn_amount: 'int8', hash: 'bytea', consensus_hash: 'bytea', parent_hash: 'bytea' },
};

const burnRewardsTable: Table = {
  name: 'burn_rewards',
  columns: { height: 'int4', reward_index: 'int4', amount: 'int8', address: 'text' },
};

const burnSlotsTable: Table = {
  name: 'burn_slots',
  columns: { height: 'int4', slot_index: 'int4', address: 'text' },
};

const burnPoxOutputsTable: Table = {
  name: 'burn_pox_outputs',
  columns: { height: 'int4', utxo_index: 'int4', amount: 'int8', tx_id: 'bytea', address: 'text', payer: 'text' },
};

/** Counts and sums over the tables above, by address; `''` is everybody. */
export const burnTotalsTable: Table = {
  name: 'burn_address_totals',
  columns: { address: 'text', slots: 'int4', pox_outputs: 'int4', reward_amount: 'numeric', burn_amount: 'numeric' },
};

/** Tables that own a burn height: a Bitcoin fork deletes from it upwards. */
export const burnTables: readonly Table[] = [burnBlocksTable, burnRewardsTable, burnSlotsTable, burnPoxOutputsTable];

export function addBurnBlock(batch: Batch, burn: BurnBlock): void {
  const { height } = burn;
  batch.add(burnBlocksTable, [height, burn.burnAmount, burn.hash, burn.consensusHash, burn.parentHash]);
  burn.rewards.forEach(({ amount, recipient }, index) => {
    batch.add(burnRewardsTable, [height, index, amount, recipient]);
  });
  burn.slotHolders.forEach((address, index) => {
    batch.add(burnSlotsTable, [height, index, address]);
  });
  for (const { txId, payer = '', outputs } of burn.poxTransactions) {
    for (const { recipient, amount, index } of outputs) {
      batch.add(burnPoxOutputsTable, [height, index, amount, txId, recipient, payer]);
    }
  }
}

/** Adds what burn blocks pay to the totals of each address. */
export function addBurnTotals(flush: Flush, burns: readonly BurnBlock[]): void {
  const totals = new Map<string, { slots: number; outputs: number; amount: bigint; burned: bigint }>();
  const at = (address: string) => {
    const total = totals.get(address) ?? { slots: 0, outputs: 0, amount: 0n, burned: 0n };
    totals.set(address, total);
    return total;
  };
  for (const { rewards, slotHolders, poxTransactions, burnAmount } of burns) {
    if (burnAmount > 0n) at('').burned += burnAmount;
    for (const { recipient, amount } of rewards) for (const key of ['', recipient]) at(key).amount += amount;
    for (const address of slotHolders) for (const key of ['', address]) at(key).slots++;
    for (const { recipient } of poxTransactions.flatMap(tx => tx.outputs)) {
      for (const key of ['', recipient]) at(key).outputs++;
    }
  }
  if (totals.size === 0) return;
  flush.query(
    `insert into burn_address_totals as t (address, slots, pox_outputs, reward_amount, burn_amount)
     select * from unnest($1::text[], $2::int[], $3::int[], $4::numeric[], $5::numeric[])
     on conflict (address) do update
     set slots = t.slots + excluded.slots, pox_outputs = t.pox_outputs + excluded.pox_outputs,
       reward_amount = t.reward_amount + excluded.reward_amount, burn_amount = t.burn_amount + excluded.burn_amount`,
    [
      arrayLiteral([...totals.keys()]),
      arrayLiteral([...totals.values()].map(t => t.slots)),
      arrayLiteral([...totals.values()].map(t => t.outputs)),
      arrayLiteral([...totals.values()].map(t => t.amount)),
      arrayLiteral([...totals.values()].map(t => t.burned)),
    ],
  );
}

/** The burn tables as a rollback sees them; heights are burn heights. */
export const burnHistory: RollbackTables = {
  tables: burnTables,
  currents: [
    {
      table: burnTotalsTable,
      restore: [
        `with gone as (
       select s.address, 1 as slots, 0 as outputs, 0 as amount, 0 as burned
       from burn_slots s
       where s.height > $1::int and s.height <= $2::int
       union all
       select o.address, 0, 1, 0, 0 from burn_pox_outputs o where o.height > $1::int and o.height <= $2::int
       union all
       select r.address, 0, 0, r.amount, 0 from burn_rewards r where r.height > $1::int and r.height <= $2::int
       union all
       select null, 0, 0, 0, b.burn_amount from burn_blocks b where b.height > $1::int and b.height <= $2::int and b.burn_amount > 0
     ), sums as (
       select coalesce(g.address, '') as address, sum(g.slots) as slots, sum(g.outputs) as outputs, sum(g.amount) as amount,
         sum(g.burned) as burned
       from gone g
       group by grouping sets ((g.address), ())
       having count(*) > 0 and (grouping(g.address) = 1 or g.address is not null)
     ), emptied as (
       delete from burn_address_totals t
       using sums s
       where t.address = s.address and t.slots = s.slots and t.pox_outputs = s.outputs and t.reward_amount = s.amount
         and t.burn_amount = s.burned
     )
     update burn_address_totals t
     set slots = t.slots - s.slots, pox_outputs = t.pox_outputs - s.outputs, reward_amount = t.reward_amount - s.amount,
       burn_amount = t.burn_amount - s.burned
     from sums s
     where t.address = s.address
       and (t.slots <> s.slots or t.pox_outputs <> s.outputs or t.reward_amount <> s.amount or t.burn_amount <> s.burned)`,
      ],
      // A bulk load updates burn totals as it goes.
      derive: [],
    },
  ],
};
