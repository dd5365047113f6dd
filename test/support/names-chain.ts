import { bnsContract } from '../../src/chain/names/name.ts';
import { buffer, principal, stringAscii, tuple } from '../../src/codec/clarity/build.ts';
import { encodeClarity } from '../../src/codec/clarity/encode.ts';
import { hash160 } from '../../src/codec/hash.ts';
import { toHex } from '../../src/codec/hex.ts';
import { accountAt } from '../../src/devnet/chain/account.ts';
import type { Action } from '../../src/devnet/chain/action.ts';
import type { Message } from '../../src/devnet/chain/message-text.ts';
import type { BnsCall } from '../../src/devnet/contracts/names/bns-contract.ts';
import type { BnsV2Call } from '../../src/devnet/contracts/names/bns-v2-contract.ts';

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
