import { type Static, Type } from 'typebox';

/** What every error looks like; a few old families of routes send only `error`. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Optional(Type.Integer({ description: 'The HTTP status code.' })),
    code: Type.Optional(Type.String({ description: 'A stable error code, such as `FST_ERR_VALIDATION`.' })),
    error: Type.String({ description: 'The name of the HTTP status, or the error message on older routes.' }),
    message: Type.Optional(Type.String({ description: 'What is wrong with the request.' })),
  },
  { title: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;
