import { Type } from 'typebox';
import { RosettaBlockIdentifier, RosettaErrorBody, RosettaMetadata, RosettaNetwork } from './rosetta.ts';

/** Requests that name only the network. */
export const RosettaNetworkRequest = Type.Object(
  { network_identifier: RosettaNetwork, metadata: Type.Optional(RosettaMetadata) },
  { additionalProperties: false, title: 'RosettaNetworkRequest' },
);

/** The body is not looked at. */
export const RosettaNetworkListRequest = Type.Unknown({ description: 'The body is ignored.' });

export const RosettaNetworkList = Type.Object(
  { network_identifiers: Type.Array(RosettaNetwork) },
  { title: 'RosettaNetworkList' },
);

const version = Type.Object({
  rosetta_version: Type.String({ description: 'Version of the Rosetta specification.' }),
  node_version: Type.String({ description: 'Version of the Node.js runtime.' }),
  middleware_version: Type.Optional(Type.String({ description: 'Version of this service.' })),
});

const allow = {
  operation_statuses: Type.Array(Type.Object({ status: Type.String(), successful: Type.Boolean() })),
  operation_types: Type.Array(Type.String()),
  errors: Type.Array(RosettaErrorBody),
  historical_balance_lookup: Type.Boolean(),
};

export const RosettaNetworkOptions = Type.Object(
  {
    version,
    allow: Type.Object({
      ...allow,
      timestamp_start_index: Type.Optional(Type.Integer({ minimum: 0 })),
      call_methods: Type.Array(Type.String(), { description: 'Methods that `/call` accepts.' }),
      balance_exemptions: Type.Array(Type.Unknown(), {
        description: 'Always empty: operations explain every balance.',
      }),
      mempool_coins: Type.Boolean(),
      block_hash_case: Type.Optional(Type.String()),
      transaction_hash_case: Type.Optional(Type.String()),
    }),
  },
  { title: 'RosettaNetworkOptions' },
);

/** As the incumbent responds. */
export const RosettaCompatNetworkOptions = Type.Object({ version, allow: Type.Object(allow) });

export const RosettaNetworkStatus = Type.Object(
  {
    current_block_identifier: RosettaBlockIdentifier,
    current_block_timestamp: Type.Integer({ description: 'Time of the tip in Unix milliseconds.' }),
    genesis_block_identifier: RosettaBlockIdentifier,
    oldest_block_identifier: Type.Optional(RosettaBlockIdentifier),
    peers: Type.Array(Type.Object({ peer_id: Type.String() })),
    current_burn_block_height: Type.Integer({ description: 'Height of the burn block of the tip.' }),
    sync_status: Type.Optional(
      Type.Object({
        current_index: Type.Integer({ description: 'Height of the index.' }),
        target_index: Type.Integer({ description: 'Height of the highest node.' }),
        synced: Type.Boolean({ description: 'Whether the index has reached the nodes.' }),
      }),
    ),
  },
  { title: 'RosettaNetworkStatus' },
);
