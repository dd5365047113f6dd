import { Type } from 'typebox';

/** The PoX contracts whose prints have one shape. */
export const PoxParam = Type.Unsafe<'pox2' | 'pox3' | 'pox4'>(
  Type.String({ enum: ['pox2', 'pox3', 'pox4'], description: 'The version of the PoX contract.' }),
);

export const versionOf = (pox: string): number => Number(pox.slice(3));
