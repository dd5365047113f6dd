import { bareHex } from '@cairn-stacks/codec/hex';
import type { ProposalRecord, ResponseRecord, SignerRecords } from '../chain/signer-record.ts';
import { array, bytes, integer, type Json, MessageError, object, optionalText } from './json.ts';

/** The records of an observer's log in JSON, by which a log holds them instead of whole chunks. */
export function encodeSignerRecords({ proposals, responses, pushes }: SignerRecords): string {
  return JSON.stringify({
    proposals: proposals.map(({ hash, indexHash, height, burnHeight, cycle, time, received }) => ({
      hash: bareHex(hash),
      index_hash: bareHex(indexHash),
      height,
      burn_height: burnHeight,
      cycle,
      time,
      received,
    })),
    responses: responses.map(({ reason, code, detail, validation, ...response }) => ({
      ...response,
      hash: bareHex(response.hash),
      signature: bareHex(response.signature),
      ...(!response.accepted && { reason, code, detail, validation }),
    })),
    pushes: pushes.map(({ hash, received }) => ({ hash: bareHex(hash), received })),
  });
}

/** Reads records out of the log; anybody who can post to the observer can send them too. */
export function readSignerRecords(value: unknown): SignerRecords {
  const json = object(value, 'signer messages');
  const items = (key: string) => array(json[key] ?? [], key);
  return {
    proposals: items('proposals').map(item => proposalIn(object(item, 'proposal'))),
    responses: items('responses').map(item => responseIn(object(item, 'response'))),
    pushes: items('pushes').map(item => {
      const json = object(item, 'push');
      return { hash: bytes(json.hash, 'hash', 32), ...receivedIn(json) };
    }),
  };
}

/** Times that a Date can hold; an unknown one is that of the event. */
function receivedIn(json: Json): { received?: number } {
  if (json.received === undefined) return {};
  return { received: numberIn(json, 'received', 0, 8.64e15) };
}

const proposalIn = (json: Json): ProposalRecord => ({
  ...receivedIn(json),
  hash: bytes(json.hash, 'hash', 32),
  indexHash: bytes(json.index_hash, 'index_hash', 32),
  height: numberIn(json, 'height', 0, 0x7fff_ffff),
  burnHeight: numberIn(json, 'burn_height', 0, 0x7fff_ffff),
  cycle: numberIn(json, 'cycle', 0, 0x7fff_ffff),
  time: numberIn(json, 'time', 0, Number.MAX_SAFE_INTEGER),
});

function responseIn(json: Json): ResponseRecord {
  const { accepted } = json;
  if (typeof accepted !== 'boolean') throw new MessageError('accepted is not a boolean');
  const code = (key: string) => (accepted ? -1 : numberIn(json, key, -1, 255));
  return {
    ...receivedIn(json),
    hash: bytes(json.hash, 'hash', 32),
    slot: numberIn(json, 'slot', 0, 0x7fff),
    parity: numberIn(json, 'parity', 0, 1),
    accepted,
    signature: bytes(json.signature, 'signature', 8),
    version: textIn(json, 'version'),
    reason: accepted ? '' : textIn(json, 'reason'),
    code: code('code'),
    detail: code('detail'),
    validation: code('validation'),
  };
}

/** PostgreSQL refuses NUL in texts. */
const textIn = (json: Json, key: string) => (optionalText(json, key) ?? '').slice(0, 1_000).replaceAll('\0', '');

function numberIn(json: Json, key: string, least: number, most: number): number {
  const value = integer(json, key);
  if (value < least || value > most) throw new MessageError(`${key} is out of range`);
  return value;
}
