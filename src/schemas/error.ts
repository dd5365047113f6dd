import { type Static, Type } from 'typebox';

/** What every error looks like; a few old families of routes send only `error`. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Optional(Type.Integer({ description: 'The HTTP status again.' })),
    code: Type.Optional(Type.String({ description: 'A stable name, as FST_ERR_VALIDATION.' })),
    error: Type.String({ description: 'The name of the status.' }),
    message: Type.Optional(Type.String({ description: 'What was wrong and where.' })),
  },
  { title: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;
