import { type TSchema, Type } from 'typebox';
import { walkCursors, walkQuery } from './walk-cursor-params.ts';

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

/** Those of an offset list that can also be walked by cursor. */
export const walkedPageQuery = (defaultLimit: number, maxLimit: number) => ({
  ...pageQuery(defaultLimit, maxLimit),
  ...walkQuery,
});

const pageFields = {
  limit: Type.Integer({ description: 'Maximum number of results of this page.' }),
  offset: Type.Integer({ description: 'Number of results that were skipped.' }),
};

const total = Type.Integer({ description: 'Number of results of all pages.' });

/** One page of a list with the number of all rows. */
export const Page = <T extends TSchema>(row: T, title: string) =>
  Type.Object({ ...pageFields, total, results: Type.Array(row) }, { title });

/** The same of a list that can also be walked by cursor. */
export const WalkedPage = <T extends TSchema>(row: T, title: string) =>
  Type.Object({ ...pageFields, total, results: Type.Array(row), ...walkCursors }, { title });

/** The same of a list that takes filters: what matches them is not counted. */
export const FilteredPage = <T extends TSchema>(row: T, title: string) =>
  Type.Object(
    {
      ...pageFields,
      total: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Number of results of all pages; null with a filter.',
      }),
      results: Type.Array(row),
      ...walkCursors,
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
