import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { balanceLine, chainDigest, ownerLine } from '../chain/state-hash.ts';
import type { Sql } from '../db/client.ts';
import { type Check, type Finding, maxFindings } from './finding.ts';

const chunk = 500;

type HeaderRow = { height: number; index_hash: Buffer; state_hash: Buffer };
type ChangeRow = { height: number; contract: Buffer | null; asset: string | null; principal: Buffer; balance: string };
type OwnerRow = { height: number; contract: Buffer; asset: string; value: Buffer; owner: Buffer | null };

/** The balances and owners that each block left behind give the hash that was written with it. */
export const stateHashes: Check = {
  name: 'state hash',
  async run({ sql, from, to }) {
    const findings: Finding[] = [];
    const [below] = await sql<HeaderRow[]>`
      select b.height, b.index_hash, b.state_hash from blocks b where b.height = ${from - 1}
    `;
    let previous: Uint8Array = below?.state_hash ?? new Uint8Array(32);
    for (let start = from; start <= to && findings.length < maxFindings; start += chunk) {
      const end = Math.min(start + chunk - 1, to);
      const lines = await changesBetween(sql, start, end);
      const headers = await sql<HeaderRow[]>`
        select b.height, b.index_hash, b.state_hash from blocks b
        where b.height between ${start} and ${end}
        order by b.height
      `;
      for (const { height, index_hash, state_hash } of headers) {
        const hash = chainDigest(previous, index_hash, lines.get(height) ?? []);
        if (!state_hash.equals(hash)) {
          findings.push({
            check: 'state hash',
            subject: `block ${height}`,
            message: 'the balances or owners it left behind are not those that were written',
          });
        }
        // Continue from the stored hash: one fault is one finding.
        previous = state_hash;
      }
    }
    return findings;
  },
};

async function changesBetween(sql: Sql, from: number, to: number): Promise<Map<number, string[]>> {
  const [stx, ft, nft] = await Promise.all([
    sql<ChangeRow[]>`
      select b.height, null as contract, null as asset, p.name as principal,
        coalesce(b.received, 0) + coalesce(b.rewards, 0) - coalesce(b.sent, 0) - coalesce(b.fees, 0) as balance
      from stx_balances b
      join principals p on p.id = b.principal
      where b.height between ${from} and ${to}
    `,
    sql<ChangeRow[]>`
      select b.height, c.name as contract, a.name as asset, p.name as principal,
        coalesce(b.received, 0) - coalesce(b.sent, 0) as balance
      from ft_balances b
      join principals p on p.id = b.principal
      join assets a on a.id = b.asset
      join principals c on c.id = a.contract
      where b.height between ${from} and ${to}
    `,
    sql<OwnerRow[]>`
      select distinct on (h.height, h.asset, h.value) h.height, c.name as contract, a.name as asset, h.value, p.name as owner
      from nft_history h
      join assets a on a.id = h.asset
      join principals c on c.id = a.contract
      left join principals p on p.id = h.recipient
      where h.height between ${from} and ${to}
      order by h.height, h.asset, h.value, h.place desc, h.event_index desc
    `,
  ]);
  const lines = new Map<number, string[]>();
  const add = (height: number, line: string) => {
    const known = lines.get(height);
    if (known) known.push(line);
    else lines.set(height, [line]);
  };
  for (const { height, contract, asset, principal, balance } of [...stx, ...ft]) {
    const name = contract === null ? 'stx' : `${principalFromBytes(contract)}::${asset}`;
    add(height, balanceLine(name, principalFromBytes(principal), balance));
  }
  for (const { height, contract, asset, value, owner } of nft) {
    add(height, ownerLine(`${principalFromBytes(contract)}::${asset}`, value, owner ? principalFromBytes(owner) : ''));
  }
  return lines;
}
