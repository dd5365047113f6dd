import { type TSchema, Type } from 'typebox';

/** The parameters of an offset list; `limit=0` means the default limit. */
export const pageQuery = (defaultLimit: number, maxLimit: number) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxLimit,
      default: defaultLimit,
      description: 'Maximum number of results to return; 0 means the default.',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Number of results to skip.',
    }),
  ),
});

/** One page of a list with the number of all rows. */
export const Page = <T extends TSchema>(row: T, title: string) =>
  Type.Object(
    {
      limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
      offset: Type.Integer({ description: 'Number of results that were skipped.' }),
      total: Type.Integer({ description: 'Number of results of all pages.' }),
      results: Type.Array(row),
    },
    { title },
  );

/** A page of a list by its rows and the number of all. */
export const renderPage = <R, T>(
  { limit, offset }: { limit: number; offset: number },
  { total, rows }: { total: number; rows: readonly R[] },
  render: (row: R) => T,
) => ({ limit, offset, total, results: rows.map(row => render(row)) });

/** The requested page. */
export const pageOf = ({ limit, offset }: { limit?: number; offset?: number }, defaultLimit: number) => ({
  limit: limit || defaultLimit,
  offset: offset ?? 0,
});
