/** The total of a list page. The total travels with the rows: a page without rows has a total of 0, as in the incumbent. */
export const totalOfPage = (rows: readonly { total?: number | null | undefined }[]): number => rows[0]?.total ?? 0;
