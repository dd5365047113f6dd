import { type Static, Type } from 'typebox';

/** A Clarity value: its bytes and its text. */
export const ClarityText = Type.Object(
  {
    hex: Type.String({ description: 'The serialized value in hex.' }),
    repr: Type.String({ description: 'The value as Clarity source.' }),
  },
  { title: 'ClarityValue' },
);
export type ClarityText = Static<typeof ClarityText>;
