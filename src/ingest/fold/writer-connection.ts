import { busyClient, searchPath } from '../../db/client.ts';
import { Writer } from '../../db/writer.ts';

/** Opens the connection of a fold's writer for the tables of a schema, where it is not the one in use. */
export const openWriter = (url: string, name: string, schema?: string): Promise<Writer> =>
  Writer.open(url, name, {
    // The log is durable: rows that a crash takes from the tables are folded again.
    synchronous_commit: 'off',
    // Overrides the default of the server.
    statement_timeout: '0',
    // Between two parts of a transaction the fold may compute for long.
    idle_in_transaction_session_timeout: '0',
    ...busyClient,
    // The same few statements come with every block: each is planned once.
    plan_cache_mode: 'force_generic_plan',
    ...(schema !== undefined && { search_path: searchPath([schema, 'public']) }),
  });
