import { type Static, Type } from 'typebox';
import type { Tip } from '../../cache/tip-queries.ts';
import { IngestConditions, noConditions } from './conditions-schema.ts';
import type { IngestStatus } from './status-queries.ts';

const nullableHeight = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Burn block height at which all locks of this PoX version end; null if unknown.',
});

export const ServerStatus = Type.Object(
  {
    server_version: Type.String({ description: 'Name and version of the service.' }),
    status: Type.String({ description: 'Always `ready`.' }),
    pox_v1_unlock_height: nullableHeight,
    pox_v2_unlock_height: nullableHeight,
    pox_v3_unlock_height: nullableHeight,
    chain_tip: Type.Optional(
      Type.Object(
        {
          block_height: Type.Integer({ description: 'Height of the tip.' }),
          block_hash: Type.String(),
          index_block_hash: Type.String({ description: 'Index block hash of the tip.' }),
          burn_block_height: Type.Integer({ description: 'Height of the burn block of the tip.' }),
          microblock_hash: Type.Optional(
            Type.String({ description: 'Hash of the last unconfirmed microblock; absent if there is none.' }),
          ),
          microblock_sequence: Type.Optional(
            Type.Integer({ description: 'Sequence of the last unconfirmed microblock; absent if there is none.' }),
          ),
        },
        { title: 'ChainTip', description: 'The chain tip. Absent before the first block.' },
      ),
    ),
  },
  { title: 'ServerStatus' },
);
export type ServerStatus = Static<typeof ServerStatus>;

/** The status as `/extended` shows it. */
export function renderServerStatus(tip: Tip, serverVersion: string): ServerStatus {
  return {
    server_version: serverVersion,
    status: 'ready',
    ...unlockHeights(tip, null),
    ...(tip.height >= 0 && {
      chain_tip: {
        block_height: tip.height,
        block_hash: hex(tip.hash),
        index_block_hash: hex(tip.indexHash),
        burn_block_height: tip.burnHeight,
        ...(tip.microblock && {
          microblock_hash: hex(tip.microblock.hash),
          microblock_sequence: tip.microblock.sequence,
        }),
      },
    }),
  };
}

export const BitcoinStatus = Type.Object(
  {
    server_version: Type.String(),
    status: Type.String(),
    pox_v1_unlock_height: Type.Integer({
      description: 'Burn block height at which all locks of this PoX version end; 0 if unknown.',
    }),
    pox_v2_unlock_height: Type.Integer({
      description: 'Burn block height at which all locks of this PoX version end; 0 if unknown.',
    }),
    pox_v3_unlock_height: Type.Integer({
      description: 'Burn block height at which all locks of this PoX version end; 0 if unknown.',
    }),
    chain_tip: Type.Object(
      {
        block_height: Type.Integer({ description: 'Height of the tip.' }),
        block_hash: Type.String(),
        index_block_hash: Type.String({ description: 'Index block hash of the tip.' }),
        microblock_hash: Type.String({ description: 'Empty if there is no unconfirmed microblock.' }),
        microblock_sequence: Type.Integer({ description: '0 if there is no unconfirmed microblock.' }),
        burn_block_height: Type.Integer({ description: 'Height of the burn block of the tip.' }),
      },
      { title: 'BitcoinChainTip' },
    ),
  },
  { title: 'BitcoinStatus', description: 'The same facts as `ServerStatus`, with every field always present.' },
);
export type BitcoinStatus = Static<typeof BitcoinStatus>;

/** The status as `/bitcoin/v1` shows it: no field is ever absent or null. */
export function renderBitcoinStatus(tip: Tip, serverVersion: string): BitcoinStatus {
  return {
    server_version: serverVersion,
    status: 'ready',
    ...unlockHeights(tip, 0),
    chain_tip: {
      block_height: Math.max(0, tip.height),
      block_hash: tip.height < 0 ? '' : hex(tip.hash),
      index_block_hash: tip.height < 0 ? '' : hex(tip.indexHash),
      microblock_hash: tip.microblock ? hex(tip.microblock.hash) : '',
      microblock_sequence: tip.microblock?.sequence ?? 0,
      burn_block_height: tip.burnHeight,
    },
  };
}

export const IngestStatusBody = Type.Object(
  {
    logged: Type.Integer({ description: 'Id of the last event in the event log.' }),
    folded: Type.Integer({ description: 'Id of the last event that was processed.' }),
    lag_seconds: Type.Number({ description: 'Age of the oldest unprocessed event in seconds; 0 if there is none.' }),
    parked: Type.Integer({ description: 'Number of blocks that wait for an unknown parent.' }),
    incomplete: Type.Object(
      {
        blocks: Type.Integer({ description: 'Number of such blocks.' }),
        heights: Type.Array(Type.Integer(), { description: 'The lowest heights of such blocks, at most ten.' }),
        unknown: Type.Array(Type.String(), { description: 'Facts that are unknown for some of these blocks.' }),
      },
      {
        title: 'IncompleteBlocks',
        description:
          'Blocks that were read from a node because their events never arrived, and for which some facts are unknown.',
      },
    ),
    quarantined: Type.Integer({
      description: 'Number of events that are stored but cannot be processed. `cairn quarantine` lists them.',
    }),
    last_quarantined: Type.Union(
      [
        Type.Object({
          event_id: Type.Integer(),
          at: Type.String({ format: 'date-time' }),
          reason: Type.String(),
        }),
        Type.Null(),
      ],
      { description: 'The newest quarantined event; null if there is none.' },
    ),
    index_hash_mismatches: Type.Integer({
      description:
        'Number of blocks whose `index_block_hash` does not match block hash and consensus hash, counted up to 10,000. It must be 0 on a real chain.',
    }),
    skipped: Type.Integer({ description: 'Number of events that the operator chose to skip.' }),
    halted_at: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Id of the event at which processing stopped; null while it runs.',
    }),
    halt_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why processing stopped; null while it runs.',
    }),
    root_mid_chain: Type.Boolean({ description: 'Whether the chain of this database starts after its genesis block.' }),
    tip_ruled_out: Type.Boolean({
      description:
        'Whether a Bitcoin fork removed the burn block of the tip or of one of its ancestors while no other branch is known. The tip is served until a block of the new branch arrives.',
    }),
    block_height: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Height of the tip; null before the first block.',
    }),
    last_received: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the last event arrived; null if none has.',
    }),
    unknown: Type.Array(
      Type.Object(
        {
          kind: Type.String({
            description: 'Kind of the item: path, field, event type, status, payload type, epoch and so on.',
          }),
          name: Type.String(),
          events: Type.Integer({ description: 'Number of events that contained it.' }),
          last_event: Type.Integer({ description: 'Id of the last event that contained it.' }),
        },
        { title: 'UnknownItem' },
      ),
      { description: 'Items that nodes sent and this version does not know, newest first; at most 100.' },
    ),
    ...IngestConditions.properties,
  },
  { title: 'IngestStatus' },
);
export type IngestStatusBody = Static<typeof IngestStatusBody>;

export const renderIngestStatus = (
  status: IngestStatus,
  conditions: IngestConditions = noConditions,
): IngestStatusBody => ({
  logged: status.logged,
  folded: status.folded,
  lag_seconds: Math.round(status.lagSeconds * 1000) / 1000,
  parked: status.parked,
  incomplete: {
    blocks: status.incomplete.count,
    heights: status.incomplete.heights,
    unknown: status.incomplete.unknown,
  },
  quarantined: status.quarantined,
  last_quarantined: status.lastQuarantined && {
    event_id: status.lastQuarantined.eventId,
    at: status.lastQuarantined.at.toISOString(),
    reason: status.lastQuarantined.reason,
  },
  index_hash_mismatches: status.indexHashMismatches,
  skipped: status.skipped,
  halted_at: status.haltedAt,
  halt_reason: status.haltReason,
  root_mid_chain: status.rootMidChain,
  tip_ruled_out: status.tipRuledOut,
  block_height: status.height < 0 ? null : status.height,
  last_received: status.lastReceived?.toISOString() ?? null,
  unknown: status.unknown,
  ...conditions,
});

function unlockHeights<T>({ unlockHeights: [v1, v2, v3] }: Tip, unknown: T) {
  return {
    pox_v1_unlock_height: v1 ?? unknown,
    pox_v2_unlock_height: v2 ?? unknown,
    pox_v3_unlock_height: v3 ?? unknown,
  };
}

const hex = (bytes: Buffer) => `0x${bytes.toString('hex')}`;
