import { bnsContract } from '@cairn-stacks/codec/bns-name';
import { buffer, principal, stringAscii, tuple } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { hash160 } from '@cairn-stacks/codec/hash';
import { toHex } from '@cairn-stacks/codec/hex';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Action } from '@cairn-stacks/devnet/chain/action';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import type { BnsCall } from '@cairn-stacks/devnet/contracts/names/bns-contract';
import type { BnsV2Call } from '@cairn-stacks/devnet/contracts/names/bns-v2-contract';

export const addressOf = (account: number) => accountAt(account, false).address;

/** A transaction that calls the first or the second naming contract. */
export const v1 = (from: number, call: BnsCall): Action => ({ kind: 'bns', from, call });
export const v2 = (from: number, call: BnsV2Call): Action => ({ kind: 'bns_v2', from, call });

/** The hash of a zonefile as hex. */
export const hashOf = (zonefile: string) => Buffer.from(hash160(Buffer.from(zonefile))).toString('hex');

type AttachmentParts = { fqn: string; zonefile: string; op?: string; sender?: string };

/** What a node posts when it has found a zonefile. */
export function attachmentOf({ fqn, zonefile, op = 'name-update', sender = addressOf(0) }: AttachmentParts) {
  const [name = '', namespace = ''] = fqn.split('.');
  const metadata = tuple({
    name: buffer(Buffer.from(name)),
    namespace: buffer(Buffer.from(namespace)),
    op: stringAscii(op),
    'tx-sender': principal(sender),
  });
  return {
    attachment_index: 1,
    index_block_hash: toHex(new Uint8Array(32)),
    block_height: '1',
    content_hash: `0x${hashOf(zonefile)}`,
    contract_id: bnsContract('v1', false),
    metadata: toHex(encodeClarity(metadata)),
    tx_id: toHex(new Uint8Array(32)),
    content: toHex(Buffer.from(zonefile)),
  };
}

export const attachmentMessage = (...attachments: object[]): Message => ({
  path: '/attachments/new',
  body: attachments,
});

/** A zonefile that names subdomains and where else to ask. */
export const registrarZonefile = (owner: string, labels: readonly string[], resolver = 'https://resolver.example') =>
  [
    '$ORIGIN registrar.id',
    ...(resolver === '' ? [] : [`_resolver URI 10 1 "${resolver}"`]),
    ...labels.map(
      label => `${label} TXT "owner=${owner}" "seqn=0" "parts=1" "zf0=${Buffer.from(label).toString('base64')}"`,
    ),
  ].join('\n');
