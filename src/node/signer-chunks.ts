import { CodecError } from '@cairn-stacks/codec/error';
import type { ProposedBlock } from '@cairn-stacks/codec/signer-message/proposal';
import type { BlockResponse } from '@cairn-stacks/codec/signer-message/response';
import { decodeSignerMessage } from '@cairn-stacks/codec/signer-message/signer-message';
import type { ProposalRecord, ResponseRecord, SignerRecords } from '../chain/signer-record.ts';
import { signatureMark } from '../chain/signer-record.ts';
import { array, hexBytes, type Json, MessageError, object } from './json.ts';

/** The records of a post of chunks, and how many chunks of miners and signers were unknown or could not be decoded. */
export type SignerChunks = SignerRecords & { skipped: number };

/** Longest stored texts, in characters. */
const MAX_VERSION = 200;
const MAX_REASON = 1_000;
const MAX_SLOT = 0x7fff;
const MAX_NUMBER = 0x7fff_ffff;

/** The StackerDB contracts that are read: miners, and the responses of the signers of even or odd cycles. */
type Source = { contract: 'miners' } | { contract: 'signers'; parity: number };

/**
 * Reads `/stackerdb_chunks`. Chunks of other contracts are ignored. A message that is unknown, cannot be decoded or does not
 * belong into its contract is skipped.
 */
export function readSignerChunks(value: unknown): SignerChunks {
  const json = object(value, 'chunks');
  const records: SignerChunks = { proposals: [], responses: [], pushes: [], skipped: 0 };
  const source = sourceOf(json.contract_id);
  if (!source) return records;
  for (const item of array(json.modified_slots, 'modified_slots')) {
    if (!addChunk(records, source, object(item, 'slot'))) records.skipped++;
  }
  return records;
}

/** Boot address: version 22 or 26 and 20 zero bytes. */
const bootAddresses = ['SP000000000000000000002Q6VF78', 'ST000000000000000000002AMW42H'];

/** Nodes send an object; their documentation has a text. */
function sourceOf(id: unknown): Source | undefined {
  const name = typeof id === 'string' ? nameInText(id) : nameInObject(object(id, 'contract_id'));
  if (name === 'miners') return { contract: 'miners' };
  const [, parity] = /^signers-([01])-1$/.exec(name ?? '') ?? [];
  return parity === undefined ? undefined : { contract: 'signers', parity: Number(parity) };
}

function nameInText(id: string): string | undefined {
  const dot = id.indexOf('.');
  return bootAddresses.includes(id.slice(0, dot)) ? id.slice(dot + 1) : undefined;
}

function nameInObject({ issuer, name }: Json): string | undefined {
  const [version, hash] = array(issuer, 'issuer');
  if (typeof name !== 'string') throw new MessageError('name is not a text');
  const isBoot = (version === 22 || version === 26) && array(hash, 'issuer').every(byte => byte === 0);
  return isBoot ? name : undefined;
}

/** Adds what a chunk says; false if it was skipped. */
function addChunk(records: SignerRecords, source: Source, slot: Json): boolean {
  const data = hexBytes(slot.data);
  if (data === undefined) throw new MessageError('data is not hex text');
  const slotId = slot.slot_id;
  if (typeof slotId !== 'number' || !Number.isInteger(slotId) || slotId < 0) {
    throw new MessageError('slot_id is not a slot');
  }
  // A slot that was cleared.
  if (data.length === 0) return true;
  try {
    const message = decodeSignerMessage(data);
    if (message.type === 'other') return true;
    if (message.type === 'unknown') return false;
    if (message.type === 'response') {
      if (source.contract !== 'signers' || slotId > MAX_SLOT) return false;
      records.responses.push(responseRecord(message, slotId, source.parity));
      return true;
    }
    if (source.contract !== 'miners') return false;
    if (message.type === 'push') records.pushes.push({ hash: message.block.hash });
    else {
      const record = proposalRecord(message.block, message.burnHeight, message.cycle);
      if (!record) return false;
      records.proposals.push(record);
    }
    return true;
  } catch (error) {
    if (error instanceof CodecError) return false;
    throw error;
  }
}

/** Undefined for numbers that no chain has. */
function proposalRecord(block: ProposedBlock, burnHeight: number, cycle: number): ProposalRecord | undefined {
  const { hash, indexHash } = block;
  if (block.height > MAX_NUMBER || block.time > Number.MAX_SAFE_INTEGER) return undefined;
  return { hash, indexHash, height: Number(block.height), burnHeight, cycle, time: Number(block.time) };
}

function responseRecord(response: BlockResponse, slot: number, parity: number): ResponseRecord {
  const { accepted, hash, signature, version, rejection } = response;
  const { reason, detail } = rejection ?? {};
  return {
    hash,
    slot,
    parity,
    accepted,
    signature: signatureMark(signature),
    version: version.slice(0, MAX_VERSION),
    reason: (rejection?.text ?? '').slice(0, MAX_REASON),
    code: reason?.code ?? -1,
    detail: detail?.code ?? -1,
    validation: detail?.validation ?? reason?.validation ?? -1,
  };
}
