import { Type } from 'typebox';

/** The PoX contracts whose prints have one shape. */
export const PoxParam = Type.Union([Type.Literal('pox2'), Type.Literal('pox3'), Type.Literal('pox4')], {
  description: 'Version of the PoX contract.',
});

export const versionOf = (pox: string): number => Number(pox.slice(3));
