import { type Static, Type } from 'typebox';

/** The limits of requests; `rates` is undefined if clients are not limited. */
export type RequestLimits = {
  maxInFlight: number;
  bodyLimit: number;
  rates:
    | { perSecond: number; burst: number; msPerUnit: number; maxOpen: number | undefined; refused: number }
    | undefined;
};

export const RequestLimitsBody = Type.Object(
  {
    max_in_flight: Type.Integer({ description: 'Requests that are worked on at once; more get 503.' }),
    body_limit: Type.Integer({ description: 'Largest body of a request, in bytes.' }),
    rate: Type.Union(
      [
        Type.Object(
          {
            units_per_second: Type.Number({ description: 'Units that a client gets each second.' }),
            burst: Type.Number({ description: 'Units that a client can save up.' }),
            ms_per_unit: Type.Number({ description: 'Milliseconds of work that one unit pays for.' }),
            max_open: Type.Union([Type.Integer(), Type.Null()], {
              description: 'Open requests of one client; null if they are not limited.',
            }),
            refused: Type.Integer({ description: 'Requests that got 429 since this process started.' }),
          },
          { title: 'RateLimit' },
        ),
        Type.Null(),
      ],
      { description: 'What each client may use; null if clients are not limited.' },
    ),
  },
  { title: 'RequestLimits' },
);

export const renderLimits = ({ maxInFlight, bodyLimit, rates }: RequestLimits): Static<typeof RequestLimitsBody> => ({
  max_in_flight: maxInFlight,
  body_limit: bodyLimit,
  rate: rates
    ? {
        units_per_second: rates.perSecond,
        burst: rates.burst,
        ms_per_unit: rates.msPerUnit,
        max_open: rates.maxOpen ?? null,
        refused: rates.refused,
      }
    : null,
});
