import type { AbiFunction } from '@cairn-stacks/codec/clarity/abi';
import { ReorgDuringRead } from '../../cache/rendered-items.ts';
import { revisionAt } from '../../cache/revision.ts';
import type { Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';

/** The functions of a contract by name. */
export type ContractFunctions = ReadonlyMap<string, AbiFunction>;

/**
 * A contract that a row calls. `version` is the revision at which the row was read, or empty while the deploy is in a
 * microblock that no block has confirmed.
 */
type InterfaceKey = { contract: number; version: string };

/** Interfaces in memory: `src/read/contracts/interface-cache.ts` has them. */
export type InterfaceStore = {
  get(contract: number, version: string): ContractFunctions | undefined;
  set(contract: number, version: string, functions: ContractFunctions): void;
};

/** The version of the interface of a contract `c`; null where there is no contract. */
export const interfaceVersion = (sql: Sql, c: Statement<unknown>) => sql`
  case when ${c}.contract is not null then coalesce(${revisionAt(sql, sql`${c}.height`)}, '') end
`;

/**
 * The functions of each contract that has an interface, by its key; one query for those not in memory. Throws `ReorgDuringRead` if
 * blocks were removed since the rows were read.
 */
export async function findInterfaces(
  sql: Sql,
  keys: readonly InterfaceKey[],
  interfaces: InterfaceStore,
): Promise<Map<number, ContractFunctions>> {
  const found = new Map<number, ContractFunctions>();
  const missing = new Map<number, string>();
  for (const { contract, version } of keys) {
    const known = version === '' ? undefined : interfaces.get(contract, version);
    if (known) found.set(contract, known);
    else missing.set(contract, version);
  }
  if (missing.size === 0) return found;
  const rows = await sql<{ contract: number; version: string; abi: string }[]>`
    select c.contract, ${interfaceVersion(sql, sql`c`)} as version, c.abi
    from contracts c
    where c.contract = any (${[...missing.keys()]}::int[])
  `;
  for (const { contract, version, abi } of rows) {
    const functions = readFunctions(abi);
    const listed = missing.get(contract);
    if (listed !== '' && version !== '' && listed !== version) throw new ReorgDuringRead();
    found.set(contract, functions);
    if (version !== '') interfaces.set(contract, version, functions);
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

/** The functions of an interface as the node wrote it; none where it wrote none. */
function readFunctions(abi: string): ContractFunctions {
  if (abi === '') return new Map();
  const { functions = [] } = JSON.parse(abi) as { functions?: AbiFunction[] };
  return new Map(functions.map(f => [f.name, f]));
}
