import { type Static, Type } from 'typebox';

/** A Clarity value: its bytes and its text. */
export const ClarityText = Type.Object(
  {
    hex: Type.String({ description: 'The serialized value in hex.' }),
    repr: Type.String({ description: 'The value as Clarity source.' }),
    json: Type.Optional(
      Type.Unknown({
        description:
          'The value as plain JSON: integers are decimal text, buffers hex, `(some x)` is x, `none` null, a tuple an object. Present ' +
          'only with `decode=json`; null for a type that this release does not know.',
      }),
    ),
  },
  { title: 'ClarityValue' },
);
export type ClarityText = Static<typeof ClarityText>;
