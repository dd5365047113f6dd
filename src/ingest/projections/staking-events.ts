import { poxVersion } from '../../chain/pox/contract.ts';
import { stakingSubject, stakingTopics } from '../../chain/pox/staking-topic.ts';
import type { Table } from '../../db/table.ts';
import type { Projection } from '../rows/projection.ts';

const stakingEventsTable: Table = {
  name: 'staking_events',
  columns: {
    height: 'int4',
    place: 'int2',
    event_index: 'int4',
    bond: 'int4',
    cycle: 'int4',
    staker: 'principal',
    topic: 'int2',
  },
};

/** Which prints of pox-5 belong to a bond or a cycle. */
export const stakingEvents: Projection = {
  tables: [stakingEventsTable],

  apply({ height, transactions, names }, _totals, _chain, rows) {
    for (const { events, place } of transactions) {
      for (const { source, index } of events) {
        if (source.kind !== 'print' || poxVersion(source.contract) !== 5) continue;
        const subject = stakingSubject(source.value);
        if (!subject) continue;
        const { topic, bond, cycle, staker } = subject;
        const key = staker === undefined ? 0 : names.principal(staker);
        rows.add(stakingEventsTable, [height, place, index, bond, cycle, key, stakingTopics[topic]]);
      }
    }
  },
};
