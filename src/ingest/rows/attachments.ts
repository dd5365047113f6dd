import { type BnsName, bnsRole, formatBnsName } from '@cairn-stacks/codec/bns-name';
import { hash160 } from '@cairn-stacks/codec/hash';
import { nameIn } from '../../chain/names/bns-v1.ts';
import { readZone } from '../../chain/names/zonefile.ts';
import { printedFields, textOf } from '../../chain/print-fields.ts';
import { array, bytes, MessageError, object, text } from '../../node/json.ts';
import { zonefilesTable } from '../projections/bns-state.ts';
import type { Batch } from './batch.ts';
import type { FirstTable } from './table-kinds.ts';

/** A zonefile that a node found for a hash on the chain; it may arrive at any time, for any fork. */
export type Attachment = { hash: Uint8Array; content: Uint8Array; name: BnsName; updates: boolean };

export type Attachments = { attachments: Attachment[]; refused: string[] };

export const subdomainsTable: FirstTable = {
  name: 'zonefile_subdomains',
  columns: {
    sequence: 'int4',
    genesis: 'bool',
    zonefile: 'bytea',
    zonefile_hash: 'bytea',
    parent: 'text',
    label: 'text',
    owner: 'text',
    resolver: 'text',
    content: 'bytea',
  },
  key: ['parent', 'zonefile', 'label'],
};

/** `/attachments/new`; an invalid one is listed in `refused` with its reason and does not affect the others. */
export function readAttachments(value: unknown): Attachments {
  const read: Attachments = { attachments: [], refused: [] };
  array(value, 'attachments').forEach((item, i) => {
    try {
      const attachment = readAttachment(item);
      if (attachment) read.attachments.push(attachment);
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      read.refused.push(`attachment ${i}: ${error.message}`);
    }
  });
  return read;
}

/** Undefined for other contracts, and for names that have no zonefile: their hash is all zeros. */
function readAttachment(item: unknown): Attachment | undefined {
  const json = object(item, 'attachment');
  if (bnsRole(text(json, 'contract_id')) !== 'v1') return undefined;
  const hash = bytes(json.content_hash, 'content_hash', 20);
  const content = bytes(json.content, 'content');
  if (content.length === 0 || hash.every(byte => byte === 0)) return undefined;
  if (!hash.equals(hash160(content))) throw new MessageError('content does not have the hash content_hash');
  const metadata = printedFields(bytes(json.metadata, 'metadata'));
  const name = metadata && nameIn(metadata);
  if (!name) throw new MessageError("the attachment's metadata has no BNS name");
  return { hash, content, name, updates: textOf(metadata.get('op')) === 'name-update' };
}

/** Stores zonefiles by their hash, and the subdomains that an update of a name contains. */
export function addAttachments(batch: Batch, attachments: readonly Attachment[]): void {
  for (const { hash, content, name, updates } of attachments) {
    const key = Buffer.from(hash).toString('hex');
    batch.first(zonefilesTable, key, [hash, content]);
    if (!updates) continue;
    const parent = formatBnsName(name);
    const { resolver, subdomains } = readZone(content);
    for (const { label, owner, sequence, zonefile, zonefileHash } of subdomains) {
      batch.first(subdomainsTable, `${parent} ${label} ${key}`, [
        sequence,
        false,
        hash,
        zonefileHash,
        parent,
        label,
        owner,
        resolver,
        zonefile,
      ]);
    }
  }
}
