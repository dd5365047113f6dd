import type { AbiFunction } from '../../codec/clarity/abi.ts';
import type { Sql } from '../../db/client.ts';

/** The functions of a contract by name. */
export type ContractFunctions = ReadonlyMap<string, AbiFunction>;

/** A contract as a row names it: its key, and the version that tells one deploy from the next. */
export type InterfaceKey = { contract: number; version: string };

const MAX_INTERFACES = 500;

/** The interfaces used last; pages of transactions call the same few contracts again and again. */
const recent = new Map<number, { version: string; functions: ContractFunctions }>();

/** The functions of each contract that has an interface, by its key; one query for those not in memory. */
export async function findInterfaces(sql: Sql, keys: InterfaceKey[]): Promise<Map<number, ContractFunctions>> {
  const found = new Map<number, ContractFunctions>();
  const missing = new Set<number>();
  for (const { contract, version } of keys) {
    const known = recent.get(contract);
    if (known?.version === version) {
      found.set(contract, known.functions);
      keep(contract, known);
    } else missing.add(contract);
  }
  if (missing.size === 0) return found;
  // The number of the transaction that wrote the row: a fork that replaced the deploy wrote another.
  const rows = await sql<{ contract: number; version: string; abi: string }[]>`
    select c.contract, c.xmin::text as version, c.abi
    from contracts c
    where c.contract = any (${[...missing]}::int[])
  `;
  for (const { contract, version, abi } of rows) {
    const functions = readFunctions(abi);
    found.set(contract, functions);
    keep(contract, { version, functions });
  }
  return found;
}

/** The functions of a contract by its compact name, for transactions that are in no table. */
export async function findInterfaceByName(sql: Sql, name: Uint8Array): Promise<ContractFunctions | undefined> {
  const [row] = await sql<{ abi: string }[]>`
    select c.abi
    from principals p
    join contracts c on c.contract = p.id
    where p.name = ${name}
  `;
  return row && readFunctions(row.abi);
}

function keep(contract: number, entry: { version: string; functions: ContractFunctions }): void {
  recent.delete(contract);
  recent.set(contract, entry);
  if (recent.size > MAX_INTERFACES) recent.delete(recent.keys().next().value!);
}

/** The functions of an interface as the node wrote it; none where it wrote none. */
export function readFunctions(abi: string): ContractFunctions {
  if (abi === '') return new Map();
  const { functions = [] } = JSON.parse(abi) as { functions?: AbiFunction[] };
  return new Map(functions.map(f => [f.name, f]));
}
