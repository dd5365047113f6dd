import { RosettaError } from '../errors.ts';
import type { Act, ActParts } from './acts/act.ts';
import type { ActTerms } from './intent.ts';
import type { Content } from './plan.ts';
import { readConditions } from './post-conditions.ts';

/** The transaction of an act, without its signers. */
export function actContent(act: Act, terms: ActTerms, parts: ActParts): Content {
  if (act.amount === 'required' && parts.amount <= 0n) throw new RosettaError(621, 'the amount must not be 0');
  return { payload: act.payload(terms as never, parts), ...readConditions(terms) };
}
