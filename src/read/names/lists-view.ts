import type { Pool, Sql } from '../../db/client.ts';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { notFound } from '../../errors.ts';
import type { AsOf } from '../pages/as-of-queries.ts';
import * as queries from './lists-queries.ts';
import { checkNamePage, nameError } from './lookup-view.ts';
import { changeCursor, changeKeyOf, cutPage, expiryCursor, expiryKeyOf } from './name-cursor-schema.ts';
import { renderExpiring, renderNameChange, renderNameDetails, renderNamespace } from './name-details-schema.ts';
import { findName, listNameChanges } from './names-queries.ts';
import { findNamespace, listNamespaces as listAllNamespaces } from './namespaces-queries.ts';
import { listSubdomainsOf, listSubdomains as listSubdomainsOfName } from './subdomains-queries.ts';

type Page = { limit: number; cursor: string | undefined };

/** A page of all names; 400 after the last one. */
export const listNames = async (sql: Sql, page: number) => checkNamePage(await queries.listNames(sql, page), page);

/** A page of the names of a namespace; 400 after the last one, and where there is no such namespace. */
export const listNamesInNamespace = (pool: Pool, namespace: string, page: number) =>
  inSnapshot(pool, async sql => {
    if (!(await findNamespace(sql, namespace, 'tip'))) throw nameError(400, 'No such namespace');
    return checkNamePage(await queries.listNamesIn(sql, namespace, page), page);
  });

export const listNamespaces = async (sql: Sql) => ({ namespaces: await listAllNamespaces(sql) });

/** The names and the subdomains of a principal, sorted. */
export const listNamesAndSubdomains = (pool: Pool, owner: Uint8Array, address: string) =>
  inSnapshot(pool, async sql => {
    const names = await queries.listNamesOf(sql, owner);
    return { names: [...names, ...(await listSubdomainsOf(sql, address))].sort() };
  });

export async function findNameDetails(sql: Sql, name: string, asOf: AsOf) {
  const found = await findName(sql, name, asOf);
  if (!found) throw notFound(`cannot find name ${name}`);
  return renderNameDetails(found);
}

/** Every change of a name, newest first. */
export async function listNameHistory(sql: Sql, name: string, asOf: AsOf, { limit, cursor }: Page) {
  const rows = await listNameChanges(sql, name, asOf, { before: changeKeyOf(cursor), limit });
  return cutPage(rows, limit, changeCursor, renderNameChange);
}

/** The names of a principal, in their order. */
export async function listNamesOfOwner(sql: Sql, owner: Uint8Array, asOf: AsOf, { limit, cursor }: Page) {
  const rows = await queries.listOwnedNames(sql, owner, asOf, { after: cursor, limit });
  return cutPage(rows, limit, row => row.name, renderNameChange);
}

/** The primary name of a principal; null if it has none. */
export async function findPrimaryName(sql: Sql, owner: Uint8Array, asOf: AsOf) {
  const found = await queries.findPrimaryName(sql, owner, asOf);
  return { name: found?.name ?? null, version: found?.version ?? null };
}

/** Names whose lease ends within so many blocks after a height, the first to end first. */
export async function listExpiringNames(
  sql: Sql,
  version: 1 | 2,
  { height, within }: { height: number; within: number },
  { limit, cursor }: Page,
) {
  const range = { from: height, to: height + within };
  const rows = await queries.listExpiring(sql, version, range, { after: expiryKeyOf(cursor), limit });
  const chain = version === 1 ? ('stacks' as const) : ('burn' as const);
  return { chain, height, ...cutPage(rows, limit, expiryCursor, renderExpiring) };
}

export async function findNamespaceDetails(sql: Sql, namespace: string, asOf: AsOf) {
  const found = await findNamespace(sql, namespace, asOf);
  if (!found) throw notFound(`cannot find namespace ${namespace}`);
  return renderNamespace(found);
}

/** The subdomains of a name. */
export const listSubdomains = (sql: Sql, name: string): Promise<string[]> => listSubdomainsOfName(sql, name);
