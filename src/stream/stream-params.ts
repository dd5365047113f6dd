import { type Static, Type } from 'typebox';
import { positionPattern } from '../chain/position.ts';
import { badRequest } from '../errors.ts';
import { COMMA_LIST } from '../http/comma-params.ts';
import { principalOf } from '../read/principals/principal-params.ts';
import { AssetIdentifierParam, assetOf } from '../read/tokens/asset-params.ts';
import { STX_ASSET, type StreamFilter, type StreamTopic, streamEventTypes, streamTopics } from './topics.ts';
import { openView, type View } from './view.ts';

const Principal = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 170, description }));

/** Topics and filters of a stream. */
export const viewQuery = {
  topics: Type.Optional(
    Type.Array(Type.Enum([...streamTopics]), {
      minItems: 1,
      maxItems: streamTopics.length,
      [COMMA_LIST]: true,
      description:
        'What to receive, separated by commas. Without it: `blocks`; with `asset` or `event_type` `transfers`; with another filter `transactions`.',
    }),
  ),
  principal: Principal(
    'Only transactions that touch this account or contract, events with it as sender or recipient, and its prints.',
  ),
  contract: Principal('Only calls, deployment, prints and assets of this contract.'),
  asset: Type.Optional(
    Type.Union([Type.Literal(STX_ASSET), AssetIdentifierParam], {
      description: 'Only events of this asset: `STX`, or `CONTRACT_ID::ASSET_NAME`.',
    }),
  ),
  function: Type.Optional(
    Type.String({
      pattern: '^([a-zA-Z]([a-zA-Z0-9]|[-_!?+<>=/*]){0,127}|[-+=/*]|[<>]=?)$',
      description: 'Only calls of functions with this name.',
    }),
  ),
  event_type: Type.Optional(
    Type.Array(Type.Enum([...streamEventTypes]), {
      minItems: 1,
      maxItems: streamEventTypes.length,
      [COMMA_LIST]: true,
      description: 'Only events of these types, separated by commas.',
    }),
  ),
};

export const AfterParam = Type.Optional(
  Type.String({
    pattern: positionPattern,
    description: 'A position from an earlier message: only what follows is sent.',
  }),
);

export const FromHeightParam = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 2_147_483_646,
    description: 'Begins with the block of this height, and goes on with the newest ones.',
  }),
);

const ViewQuery = Type.Object(viewQuery);

/** A filter that is not known would select nothing, and the client would receive what it did not ask for. */
export function refuseUnknown(given: object, known: object): void {
  const names = Object.keys(known);
  const other = Object.keys(given).find(name => !names.includes(name));
  if (other !== undefined) throw badRequest(`Unknown parameter "${other}": use ${names.join(', ')}`);
}

/** What a client that names no topic wants to know. */
function defaultTopics({
  principal,
  contract,
  asset,
  function: name,
  event_type,
}: Static<typeof ViewQuery>): StreamTopic[] {
  if (asset !== undefined || event_type !== undefined) return ['transfers'];
  return principal === undefined && contract === undefined && name === undefined ? ['blocks'] : ['transactions'];
}

/** The view of a request; 400 where a value or a combination has no meaning. */
export function viewOf(query: Static<typeof ViewQuery>): View {
  const { topics = defaultTopics(query), principal, contract, asset, event_type: eventTypes } = query;
  const filter: StreamFilter = {};
  if (principal !== undefined) {
    principalOf(principal, `principal "${principal}" is not an account or a contract`);
    filter.principal = principal;
  }
  if (contract !== undefined) {
    principalOf(contract, `contract "${contract}" is not a contract identifier`);
    if (!contract.includes('.')) throw badRequest(`contract "${contract}" is an account: use principal for it`);
    filter.contract = contract;
  }
  if (asset !== undefined) {
    if (asset !== STX_ASSET && !assetOf(asset)) throw badRequest(`asset "${asset}" is not STX or an asset identifier`);
    filter.asset = asset;
  }
  if (query.function !== undefined) filter.function = query.function;
  if (eventTypes !== undefined) filter.eventTypes = new Set(eventTypes);
  return openView(topics, filter);
}
