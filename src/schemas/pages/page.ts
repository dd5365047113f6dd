import { type TSchema, Type } from 'typebox';

/** The parameters of an offset list; the API takes `limit=0` for "as usual". */
export const pageQuery = (usual: number, most: number) => ({
  limit: Type.Optional(
    Type.Integer({ minimum: 0, maximum: most, default: usual, description: 'Rows of a page; 0 means the default.' }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'Rows to pass over.' }),
  ),
});

/** One page of a list with the number of all rows. */
export const Page = <T extends TSchema>(row: T, title: string) =>
  Type.Object(
    { limit: Type.Integer(), offset: Type.Integer(), total: Type.Integer(), results: Type.Array(row) },
    { title },
  );

/** The requested page. */
export const pageOf = ({ limit, offset }: { limit?: number; offset?: number }, usual: number) => ({
  limit: limit || usual,
  offset: offset ?? 0,
});
