import { randomBytes } from 'node:crypto';
import { parsePrincipal } from '@cairn-stacks/codec/address/principal';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { dropMessage, mempoolMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import { type Encoded, makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import type { Pool } from '../../src/db/client.ts';
import type { FoldOptions } from '../../src/ingest/fold/session.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import type { LoggedMessage } from '../model/mempool.ts';
import { folded, startFold, testNetwork } from './service.ts';

export type Transfer = { from: number; nonce: number; fee?: number; amount?: number; to?: number; sponsor?: Sponsor };
type Sponsor = { account: number; nonce: number };

/** A token transfer that nobody has mined. */
export function transfer({ from, nonce, fee = 200, amount = 1_000, to = 900, sponsor }: Transfer): Encoded {
  return makeTransaction({
    network: testNetwork,
    origin: { account: accountAt(from, false), nonce: BigInt(nonce) },
    ...(sponsor && { sponsor: { account: accountAt(sponsor.account, false), nonce: BigInt(sponsor.nonce) } }),
    fee: BigInt(fee),
    payload: {
      type: 'token_transfer',
      recipient: recipientOf(to),
      amount: BigInt(amount),
      memo: new Uint8Array(34),
    },
    sign: false,
  });
}

/** The deployment of a contract that nobody has mined: few of them are many bytes, also compressed. */
export function deployment({ from, nonce, bytes }: { from: number; nonce: number; bytes: number }): Encoded {
  return makeTransaction({
    network: testNetwork,
    origin: { account: accountAt(from, false), nonce: BigInt(nonce) },
    fee: 200n,
    payload: {
      type: 'smart_contract',
      name: 'large',
      source: Buffer.from(randomBytes(bytes).toString('base64').slice(0, bytes)),
    },
    sign: false,
  });
}

const recipientOf = (account: number) => parsePrincipal(addressAt(account));

export const addressAt = (account: number) => accountAt(account, false).address;

/** The body of a message, as a node posts it. */
function messageOf(message: LoggedMessage) {
  switch (message.kind) {
    case 'block':
      return message.block;
    case 'microblock':
      return message.built;
    case 'arrivals':
      return mempoolMessage(message.raws.map(raw => ({ raw })));
    case 'drop':
      return dropMessage(message.txIds, message.reason as 'TooExpensive', message.replacedBy);
  }
}

/** Appends messages with their times and sources, and folds them. */
export async function foldMessages(
  db: { sql: Pool; url: string },
  messages: readonly LoggedMessage[],
  options: Partial<Omit<FoldOptions, 'url' | 'log'>> = {},
): Promise<void> {
  const log = new EventLog(db.sql);
  const ids = await Promise.all(
    messages.map(each => {
      const { path, body } = messageOf(each);
      return log.append({
        path,
        source: each.source,
        at: new Date(each.at * 1000),
        body: Buffer.from(messageText(body)),
      });
    }),
  );
  await log.close();
  const fold = startFold(db, options);
  try {
    const position = await folded(db.sql, ids.at(-1) ?? 0n);
    if (position.halt_reason !== null) throw new Error(position.halt_reason);
  } finally {
    await fold.stop();
  }
  const errors = fold.lines.filter(line => line.level === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
}

export type StoredRow = {
  tx_id: string;
  status: number;
  reason: string;
  replaced_by: string;
  received_at: number;
  received_height: number;
  received_tenure: number;
  dropped_at: number;
  seen: boolean;
  holders: string[];
};

/** The rows of the mempool by id, holders by name. */
export async function mempoolRows(sql: Pool): Promise<StoredRow[]> {
  return await sql<StoredRow[]>`
    select encode(m.tx_id, 'hex') as tx_id, m.status, m.reason, encode(m.replaced_by, 'hex') as replaced_by, m.received_at,
      m.received_height, m.received_tenure, m.dropped_at, m.event_id > 0 as seen,
      array(select s.source from mempool_sources s where m.holders & (1 << s.bit) <> 0 order by s.source)
        || case when m.holders & 1 = 1 then array['not a node'] else '{}'::text[] end as holders
    from mempool m
    order by 1
  `;
}
