import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Sql } from '../../src/db/client.ts';

/** Values for parameters, by the names that routes give them; those of one sample belong together. */
export type Sample = Partial<Record<SampleName, string>>;

type SampleName =
  | 'principal'
  | 'address'
  | 'tx_id'
  | 'height'
  | 'height_or_hash'
  | 'hash'
  | 'block_hash'
  | 'burn_block_hash'
  | 'burn_block_height'
  | 'tenure_height'
  | 'contract_id'
  | 'token'
  | 'asset_identifier'
  | 'asset_identifiers'
  | 'value'
  | 'token_id'
  | 'trait_abi'
  | 'pox'
  | 'pool_principal'
  | 'microblock_hash'
  | 'reward_address'
  | 'cycle_number'
  | 'from_address'
  | 'to_address'
  | 'sender_address'
  | 'recipient_address'
  | 'function_name'
  | 'start_time'
  | 'end_time'
  | 'until_block'
  | 'nonce'
  | 'offset'
  | 'q';

type Row = {
  principal: Buffer;
  tx_id: Buffer;
  height: number;
  hash: Buffer;
  burn_hash: Buffer;
  burn_height: number;
  burn_time: number;
  tenure: number;
  contract: Buffer | null;
  token_contract: Buffer | null;
  token: string | null;
  nft_contract: Buffer | null;
  nft: string | null;
  nft_value: Buffer | null;
};

/** Samples from the whole chain, each about a transaction of one account; `only` selects accounts. */
export async function drawSamples(sql: Sql, count: number, only?: readonly number[]): Promise<Sample[]> {
  const rows = await sql<Row[]>`
    with picked as (
      select p.principal, p.height, p.place, row_number() over () as n
      from (
        select p.principal, p.height, p.place
        from principal_transactions p
        where ${only ? sql`p.principal = any (${[...only]}::int[])` : sql`p.height > 2`}
        order by md5(p.principal || ' ' || p.height || ' ' || p.place)
        limit ${count}
      ) p
    ),
    calls as (select target, row_number() over () as n, count(*) over () as all from (
      select distinct t.target from transactions t join contracts c on c.contract = t.target where t.type = 2) t),
    coins as (select asset, row_number() over () as n, count(*) over () as all from (
      select distinct h.asset from holders h where h.asset <> 0) h),
    items as (select asset, value, row_number() over () as n, count(*) over () as all from (
      select h.asset, h.value from nft_history h order by md5(h.value) limit ${count}) h)
    select pr.name as principal, t.tx_id, b.height, b.hash, b.burn_hash, b.burn_height, b.burn_time, b.tenure, cp.name as contract,
      fp.name as token_contract, fa.name as token, np.name as nft_contract, na.name as nft, i.value as nft_value
    from picked k
    join principals pr on pr.id = k.principal
    join transactions t on t.height = k.height and t.place = k.place
    join blocks b on b.height = k.height
    left join calls c on c.n = k.n % c.all + 1
    left join principals cp on cp.id = c.target
    left join coins f on f.n = k.n % f.all + 1
    left join assets fa on fa.id = f.asset
    left join principals fp on fp.id = fa.contract
    left join items i on i.n = k.n % i.all + 1
    left join assets na on na.id = i.asset
    left join principals np on np.id = na.contract
  `;
  const [called] = await sql<{ abi: string }[]>`
    select c.abi
    from contracts c
    join transactions t on t.target = c.contract and t.type = 2
    where c.abi <> ''
    limit 1
  `;
  const [paid] = await sql<{ address: string }[]>`select r.address from burn_rewards r limit 1`;
  return rows.map(row => ({
    ...sampleOf(row),
    ...(called && traitOf(called.abi)),
    ...(paid && { reward_address: paid.address }),
  }));
}

/** A trait that at least one contract has: its first public function. */
function traitOf(abi: string): Sample {
  const { functions } = JSON.parse(abi) as { functions: { name: string; access: string }[] };
  const first = functions.find(f => f.access === 'public');
  return first ? { trait_abi: JSON.stringify({ functions: [first] }), function_name: first.name } : {};
}

/** A contract, and what somebody would search it by. */
const namesOf = (contract: string): Sample => ({ contract_id: contract, q: contract.split('.')[1]! });

function sampleOf(row: Row): Sample {
  const principal = principalFromBytes(row.principal);
  const hash = toHex(row.hash);
  const token = row.token_contract && `${principalFromBytes(row.token_contract)}::${row.token}`;
  const nft = row.nft_contract && `${principalFromBytes(row.nft_contract)}::${row.nft}`;
  return {
    principal,
    address: principal,
    pool_principal: principal,
    tx_id: toHex(row.tx_id),
    height: String(row.height),
    height_or_hash: hash,
    hash,
    block_hash: hash,
    burn_block_hash: toHex(row.burn_hash),
    burn_block_height: String(row.burn_height),
    tenure_height: String(row.tenure),
    pox: 'pox4',
    token_id: '1',
    from_address: principal,
    to_address: principal,
    sender_address: principal,
    recipient_address: principal,
    start_time: String(row.burn_time),
    end_time: String(row.burn_time),
    until_block: String(row.height),
    nonce: '3',
    offset: '40',
    ...(row.contract && namesOf(principalFromBytes(row.contract))),
    ...(token && { token }),
    ...(nft && { asset_identifier: nft, asset_identifiers: nft, value: toHex(row.nft_value!) }),
  };
}
