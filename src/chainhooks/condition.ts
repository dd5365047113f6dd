import { reprClarity } from '@cairn-stacks/codec/clarity/repr';
import { UnknownCodeError } from '@cairn-stacks/codec/error';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Needs } from '../stream/feed.ts';
import { openView } from '../stream/view.ts';
import type { HookTransaction } from './block.ts';
import { openPattern } from './pattern.ts';
import type { Condition } from './predicate-schema.ts';

/** Whether a transaction of a block with this height is what a condition asks for. */
export type Matcher = (transaction: HookTransaction, height: number) => boolean;

/** The text of a serialized value as Chainhook 1.x writes it: principals have no quote. */
export function plainText(bytes: Uint8Array): string {
  try {
    // Inside strings a quote follows a backslash.
    return reprClarity(bytes).replace(/(^|[ (])'(?=[0-9A-Z])/g, '$1');
  } catch (error) {
    if (error instanceof UnknownCodeError) return toHex(bytes);
    throw error;
  }
}

/** Reads a condition once for all transactions; 400 if its regular expression cannot be used. */
export function openCondition(condition: Condition): Matcher {
  switch (condition.scope) {
    case 'block_height':
      return (_transaction, height) => isHeight(condition, height);
    case 'txid': {
      const wanted = condition.equals.toLowerCase();
      return ({ body }) => body.tx_id === wanted;
    }
    case 'contract_deployment': {
      const { deployer } = condition;
      return ({ body }) =>
        body.tx_type === 'smart_contract' && (deployer === '*' || body.smart_contract.contract_id.startsWith(deployer));
    }
    case 'contract_call': {
      const { contract_identifier: contract, method } = condition;
      return ({ body }) =>
        body.tx_type === 'contract_call' &&
        body.contract_call.contract_id === contract &&
        body.contract_call.function_name === method;
    }
    case 'print_event':
      return openPrints(condition);
    case 'ft_event':
    case 'nft_event':
    case 'stx_event': {
      const kinds = new Set(condition.actions.map(action => `${condition.scope.split('_')[0]}_${action}`));
      const asset = 'asset_identifier' in condition ? condition.asset_identifier : undefined;
      return ({ events }) =>
        events.some(event => kinds.has(event.kind) && (asset === undefined || event.asset === asset));
    }
  }
}

type Of<S extends Condition['scope']> = Extract<Condition, { scope: S }>;

function openPrints(condition: Of<'print_event'>): Matcher {
  const { contract_identifier: wanted } = condition;
  const fits = 'contains' in condition ? openContains(condition.contains) : openPattern(condition.matches_regex);
  return ({ events }) =>
    events.some(
      ({ kind, contract, value }) =>
        kind === 'print' && (wanted === '*' || contract === wanted) && fits(plainText(value)),
    );
}

const openContains = (part: string) => (text: string) => part === '*' || text.includes(part);

/** The bounds are no part of a range, whatever the documentation of Chainhook 1.x says. */
export function isHeight(condition: Of<'block_height'>, height: number): boolean {
  if ('equals' in condition) return height === condition.equals;
  if ('higher_than' in condition) return height > condition.higher_than;
  if ('lower_than' in condition) return height < condition.lower_than;
  const [low, high] = condition.between as [number, number];
  return height > low && height < high;
}

/** What leads through a long history to the blocks that a condition may match. */
export function conditionScope(condition: Condition): Needs['scope'] {
  switch (condition.scope) {
    case 'contract_call':
      return openView(['transactions'], { contract: condition.contract_identifier }).needs.scope;
    case 'print_event': {
      const { contract_identifier: contract } = condition;
      return contract === '*' ? undefined : openView(['contract_logs'], { contract }).needs.scope;
    }
    case 'ft_event':
    case 'nft_event':
      return openView(['transfers'], { asset: condition.asset_identifier }).needs.scope;
    default:
      return undefined;
  }
}
