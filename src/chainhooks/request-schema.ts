import { type Static, Type } from 'typebox';
import { Status } from './chainhook-schema.ts';

const closed = { additionalProperties: false };

/** The id of a chainhook in a path. */
export const UuidParam = Type.Object({
  uuid: Type.String({
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    description: 'Id of the chainhook.',
  }),
});

export const Enabled = Type.Object(
  { enabled: Type.Boolean({ description: 'Whether it is sent to.' }) },
  { ...closed, title: 'ChainhookEnabled' },
);

/** Which chainhooks of an owner; each field has to hold. */
const Which = Type.Object(
  {
    uuids: Type.Optional(
      Type.Array(UuidParam.properties.uuid, {
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description: 'Ids of chainhooks.',
      }),
    ),
    webhook_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'The URL that is called.' })),
    statuses: Type.Optional(
      Type.Array(Status, { minItems: 1, maxItems: 4, uniqueItems: true, description: 'Statuses of chainhooks.' }),
    ),
  },
  { ...closed, minProperties: 1, title: 'ChainhookSelection' },
);

export const EnableMany = Type.Object(
  { enabled: Enabled.properties.enabled, filters: Which },
  { ...closed, title: 'ChainhooksEnabled' },
);
export type EnableMany = Static<typeof EnableMany>;

export const Evaluate = Type.Object(
  {
    block_height: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_147_483_646, description: 'Height of a block.' }),
    ),
    index_block_hash: Type.Optional(
      Type.String({ pattern: '^(0x)?[0-9a-fA-F]{64}$', description: 'Index block hash of a block.' }),
    ),
  },
  { ...closed, minProperties: 1, maxProperties: 1, title: 'ChainhookEvaluation' },
);
export type Evaluate = Static<typeof Evaluate>;
