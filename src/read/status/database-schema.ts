import { type Static, Type } from 'typebox';

const ReadServer = Type.Object(
  {
    name: Type.String({ description: '`primary`, or `replica` with a number.' }),
    role: Type.Enum(['primary', 'replica']),
    condition: Type.Enum(['unknown', 'usable', 'behind', 'unreachable', 'refused'], {
      description:
        '`usable`: it gets requests. `behind`: it lags more than allowed. `unreachable`: it does not respond. ' +
        '`refused`: it is not a replica of this primary. `unknown`: it was not checked yet.',
    }),
    in_use: Type.Boolean({ description: 'Whether requests may be read from it now.' }),
    lag_seconds: Type.Number({ description: 'How long it lacks a step that the primary has announced.' }),
    block_height: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The height of its tip when it was last read; null before.',
    }),
    in_flight: Type.Integer({ description: 'Requests that are read from it now.' }),
  },
  { title: 'ReadServer' },
);

export const DatabaseStatus = Type.Object(
  {
    size_bytes: Type.Integer({ description: 'Size of the database on disk, with its indexes.' }),
    servers: Type.Array(ReadServer, { description: 'The servers of the database that responses are read from.' }),
  },
  { title: 'DatabaseStatus' },
);

type ServerState = Omit<Static<typeof ReadServer>, 'name' | 'block_height'> & { height: number };

/** Hosts and reasons stay inside: `/readyz` of the metrics port has them. */
export function renderDatabase(size: bigint, servers: readonly ServerState[]): Static<typeof DatabaseStatus> {
  let replicas = 0;
  return {
    size_bytes: Number(size),
    servers: servers.map(({ role, condition, in_use, lag_seconds, height, in_flight }) => ({
      name: role === 'primary' ? 'primary' : `replica ${++replicas}`,
      role,
      condition,
      in_use,
      lag_seconds,
      block_height: height < 0 ? null : height,
      in_flight,
    })),
  };
}
