import { Type } from 'typebox';

/** Requests of one batch at most. */
const MAX_REQUESTS = 100;

export const Batch = Type.Object({
  requests: Type.Array(
    Type.Object({
      path: Type.String({
        pattern: '^/[^/#][^#]*$',
        maxLength: 4000,
        description: 'Path and query of a GET of this API, as in `/extended/v2/blocks?limit=1`.',
      }),
    }),
    { minItems: 1, maxItems: MAX_REQUESTS, description: 'What to request.' },
  ),
});

export const BatchResults = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        status: Type.Integer({ description: 'HTTP status of this response.' }),
        body: Type.Unknown({ description: 'Body as JSON; text if the response is not JSON.' }),
      }),
      { description: 'One response for each request, in their order.' },
    ),
  },
  { title: 'BatchResults' },
);
