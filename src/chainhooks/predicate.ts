import type { Network } from '@cairn-stacks/codec/network';
import { badRequest } from '../errors.ts';
import { principalOf } from '../read/principals/principal-params.ts';
import { assetOf } from '../read/tokens/asset-params.ts';
import { checkedUrl } from '../webhooks/definition.ts';
import { openCondition } from './condition.ts';
import type { Surroundings } from './definition.ts';
import { type Condition, conditionSchemas, NetworkPredicate, Predicate } from './predicate-schema.ts';
import { fitting } from './problem.ts';

/** A predicate of Chainhook 1.x, as far as it concerns the network of this service. */
export type ReadPredicate = {
  uuid: string;
  /** The key of `networks` that was used. */
  network: string;
  condition: Condition;
  url: string;
  authorization: string;
} & Omit<NetworkPredicate, 'if_this' | 'then_that' | 'capture_all_events'>;

/** Conditions that Chainhook 1.x knows and that no block can answer. */
const unanswered: Record<string, string> = {
  signer_message: 'messages of signers are no part of blocks: read them at /extended/v1/status or /signer-metrics',
};

/** A predicate of Chainhook 1.x; 400 with what is wrong. */
export function readPredicate(
  body: unknown,
  { network, allow }: Surroundings & { network: Network | undefined },
): ReadPredicate {
  const { uuid, networks } = fitting(Predicate, body);
  const named = namesOf(network).find(name => networks[name] !== undefined);
  if (named === undefined)
    throw badRequest(
      `networks: this service needs ${namesOf(network).join(' or ')}, and the predicate has none of them`,
    );
  const at = `networks.${named}`;
  const { if_this, then_that, capture_all_events: _all, ...rest } = fitting(NetworkPredicate, networks[named], at);
  const { start_block: start, end_block: end } = rest;
  if (start !== undefined && end !== undefined && end < start)
    throw badRequest(`${at}: end_block ${end} is below start_block ${start}`);
  if (rest.blocks !== undefined && (start !== undefined || end !== undefined))
    throw badRequest(`${at}: blocks cannot be used with start_block or end_block`);
  const { url, authorization_header } = then_that.http_post;
  const condition = readCondition(if_this, `${at}.if_this`);
  return { uuid, network: named, condition, url: checkedUrl(url, allow), authorization: authorization_header, ...rest };
}

type Name = keyof Predicate['networks'];

/** Keys of `networks` that mean the network of the service, the likeliest first. */
function namesOf(network: Network | undefined): Name[] {
  if (!network) return ['mainnet', 'testnet', 'devnet', 'simnet'];
  if (network.mainnet) return ['mainnet'];
  return network.name === 'devnet' ? ['devnet', 'simnet', 'testnet'] : ['testnet', 'devnet', 'simnet'];
}

function readCondition(given: { scope: string }, at: string): Condition {
  const { scope } = given;
  const reason = unanswered[scope];
  if (reason !== undefined) throw badRequest(`${at}.scope ${scope} is not served: ${reason}`);
  if (scope === 'contract_deployment' && 'implement_trait' in given)
    throw badRequest(`${at}: implement_trait matched nothing in Chainhook 1.x either: use deployer`);
  if (!Object.hasOwn(conditionSchemas, scope))
    throw badRequest(`${at}.scope is ${JSON.stringify(scope)}: use one of ${Object.keys(conditionSchemas).join(', ')}`);
  const schemas = conditionSchemas[scope as Condition['scope']];
  // The form with the most of the fields that were given: its problem is the one to tell.
  const names = Object.keys(given);
  const likeness = (schema: (typeof schemas)[number]) =>
    names.filter(name => Object.hasOwn(schema.properties, name)).length;
  const [first, ...others] = schemas;
  const schema = others.reduce<(typeof schemas)[number]>(
    (best, each) => (likeness(each) > likeness(best) ? each : best),
    first,
  );
  const condition = fitting(schema, given, at) as Condition;
  checkNames(condition, at);
  // Its regular expression is read now, so that a wrong one is refused.
  openCondition(condition);
  return condition;
}

function checkNames(condition: Condition, at: string): void {
  if ('asset_identifier' in condition && !assetOf(condition.asset_identifier))
    throw badRequest(`${at}.asset_identifier: ${condition.asset_identifier} is not CONTRACT_ID::ASSET_NAME`);
  if (!('contract_identifier' in condition) || condition.contract_identifier === '*') return;
  const { contract_identifier: contract } = condition;
  const message = `${at}.contract_identifier: ${contract} is not a contract`;
  principalOf(contract, message);
  if (!contract.includes('.')) throw badRequest(message);
}
