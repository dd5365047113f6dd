import type { Sql } from './client.ts';

/** PostgreSQL: the role may not call a function. */
const FORBIDDEN = '42501';

/** The system identifier, which a server shares with its replicas; null if the role may not read it. */
export async function findSystemIdentifier(sql: Sql): Promise<string | null> {
  try {
    const [row] = await sql<
      { system: string }[]
    >`select s.system_identifier::text as system from pg_control_system() s`;
    return row!.system;
  } catch (error) {
    if ((error as { code?: unknown }).code === FORBIDDEN) return null;
    throw error;
  }
}
