import { type Static, Type } from 'typebox';
import type { IngestStatus } from '../../queries/status/status.ts';
import type { Tip } from '../../queries/status/tip.ts';

const nullableHeight = Type.Union([Type.Integer(), Type.Null()]);

export const ServerStatus = Type.Object(
  {
    server_version: Type.String({ description: 'Name and version of the service.' }),
    status: Type.String({ description: '`ready` once the service answers.' }),
    pox_v1_unlock_height: nullableHeight,
    pox_v2_unlock_height: nullableHeight,
    pox_v3_unlock_height: nullableHeight,
    chain_tip: Type.Optional(
      Type.Object(
        {
          block_height: Type.Integer(),
          block_hash: Type.String(),
          index_block_hash: Type.String(),
          burn_block_height: Type.Integer(),
          microblock_hash: Type.Optional(Type.String()),
          microblock_sequence: Type.Optional(Type.Integer()),
        },
        { title: 'ChainTip', description: 'Absent before the first block.' },
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
    pox_v1_unlock_height: Type.Integer({ description: '0 while unknown.' }),
    pox_v2_unlock_height: Type.Integer({ description: '0 while unknown.' }),
    pox_v3_unlock_height: Type.Integer({ description: '0 while unknown.' }),
    chain_tip: Type.Object(
      {
        block_height: Type.Integer(),
        block_hash: Type.String(),
        index_block_hash: Type.String(),
        microblock_hash: Type.String({ description: 'Empty where there is none.' }),
        microblock_sequence: Type.Integer({ description: '0 where there is none.' }),
        burn_block_height: Type.Integer(),
      },
      { title: 'BitcoinChainTip' },
    ),
  },
  { title: 'BitcoinStatus', description: 'The same facts with every field always there.' },
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
    logged: Type.Integer({ description: 'Number of the last event in the log.' }),
    folded: Type.Integer({ description: 'Number of the last event in the tables.' }),
    lag_seconds: Type.Number({ description: 'Age of the oldest event that waits; 0 when none does.' }),
    parked: Type.Integer({ description: 'Blocks that wait for an unknown parent.' }),
    incomplete: Type.Object(
      {
        blocks: Type.Integer({ description: 'How many.' }),
        heights: Type.Array(Type.Integer(), { description: 'The lowest of them, up to ten.' }),
        unknown: Type.Array(Type.String(), { description: 'What is unknown of some of them.' }),
      },
      {
        title: 'IncompleteBlocks',
        description:
          'Blocks that were asked of a node because their events never came, and of which something stays unknown.',
      },
    ),
    quarantined: Type.Integer({
      description: 'Events that were kept but cannot be read or placed; `cairn quarantine` lists them.',
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
      { description: 'The newest of them.' },
    ),
    index_hash_mismatches: Type.Integer({
      description:
        'Blocks whose `index_block_hash` does not follow from block and consensus hash, counted up to 10,000: generated chains have such, a real one must not.',
    }),
    skipped: Type.Integer({ description: 'Events that an operator told the fold to go past.' }),
    halted_at: Type.Union([Type.Integer(), Type.Null()], { description: 'The event at which the fold stopped.' }),
    halt_reason: Type.Union([Type.String(), Type.Null()]),
    root_mid_chain: Type.Boolean({ description: 'The chain of this database does not start at its genesis.' }),
    tip_ruled_out: Type.Boolean({
      description:
        'Bitcoin has replaced the burn block of the tip or of one of its ancestors, and every other known block is ruled out too. The tip is served until a block of the new branch arrives.',
    }),
    block_height: Type.Union([Type.Integer(), Type.Null()], { description: 'Null before the first block.' }),
    last_received: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    unknown: Type.Array(
      Type.Object(
        {
          kind: Type.String({ description: 'path, field, event type, status, payload type, epoch and so on.' }),
          name: Type.String(),
          events: Type.Integer({ description: 'How many events had it.' }),
          last_event: Type.Integer({ description: 'The last event that had it.' }),
        },
        { title: 'UnknownItem' },
      ),
      { description: 'What nodes sent and this version does not know, the newest first: up to 100.' },
    ),
  },
  { title: 'IngestStatus' },
);
export type IngestStatusBody = Static<typeof IngestStatusBody>;

export const renderIngestStatus = (status: IngestStatus): IngestStatusBody => ({
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
});

function unlockHeights<T>({ unlockHeights: [v1, v2, v3] }: Tip, unknown: T) {
  return {
    pox_v1_unlock_height: v1 ?? unknown,
    pox_v2_unlock_height: v2 ?? unknown,
    pox_v3_unlock_height: v3 ?? unknown,
  };
}

const hex = (bytes: Buffer) => `0x${bytes.toString('hex')}`;
