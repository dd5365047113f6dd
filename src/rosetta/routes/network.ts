import type { Network } from '@cairn-stacks/codec/network';
import { version } from '../../config/version.ts';
import { listErrors } from '../errors.ts';
import { networkIdentifier } from '../network.ts';
import { listStatuses, listTypes } from '../operations/operation-types.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';
import {
  RosettaCompatNetworkOptions,
  RosettaNetworkList,
  RosettaNetworkListRequest,
  RosettaNetworkOptions,
  RosettaNetworkRequest,
} from '../schemas/network.ts';

export type NetworkRouteOptions = {
  network: Network;
  compat: boolean;
  /** Methods of `/call`; empty without a node. */
  callMethods: readonly string[];
};

/** Routes that need neither database nor node. */
export function networkRoutes({ network, compat, callMethods }: NetworkRouteOptions): RosettaRoute[] {
  const options = {
    version: {
      rosetta_version: compat ? '1.4.6' : '1.5.1',
      node_version: process.version,
      middleware_version: version,
    },
    allow: {
      operation_statuses: listStatuses(compat),
      operation_types: listTypes(compat),
      errors: listErrors(compat),
      historical_balance_lookup: true,
    },
  };
  const specified = {
    call_methods: [...callMethods],
    balance_exemptions: [],
    mempool_coins: false,
    block_hash_case: 'lower_case',
    transaction_hash_case: 'lower_case',
  };
  return [
    rosettaRoute({
      path: '/network/list',
      operationId: 'rosetta_network_list',
      summary: 'List networks',
      description: 'Returns the one network that this service indexes.',
      request: RosettaNetworkListRequest,
      response: RosettaNetworkList,
      handler: () => ({ network_identifiers: [networkIdentifier(network)] }),
    }),
    rosettaRoute({
      path: '/network/options',
      operationId: 'rosetta_network_options',
      summary: 'Get the network options',
      description: 'Returns versions, operation types, operation statuses and errors.',
      request: RosettaNetworkRequest,
      response: compat ? RosettaCompatNetworkOptions : RosettaNetworkOptions,
      handler: () => (compat ? options : { ...options, allow: { ...options.allow, ...specified } }),
    }),
  ];
}
