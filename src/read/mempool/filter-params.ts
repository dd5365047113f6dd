import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { PrincipalPrefixParam, principalOf } from '../principals/principal-params.ts';
import type { MempoolFilter } from './mempool-queries.ts';

export const mempoolFilters = {
  sender_address: Type.Optional(PrincipalPrefixParam),
  recipient_address: Type.Optional(PrincipalPrefixParam),
  address: Type.Optional(PrincipalPrefixParam),
};

type FilterQuery = {
  sender_address?: string | undefined;
  recipient_address?: string | undefined;
  address?: string | undefined;
};

/** The filter of a request; 400 where a principal is invalid or the filters exclude one another. */
export function mempoolFilterOf({
  sender_address: sender,
  recipient_address: recipient,
  address,
}: FilterQuery): MempoolFilter {
  if (address !== undefined && (sender !== undefined || recipient !== undefined)) {
    throw badRequest('The "address" filter cannot be specified with other address filters');
  }
  const nameOf = (text: string) =>
    principalOf(text, `Error: Invalid query parameter: "${text}" is not a valid STX address or principal`);
  return {
    ...(sender !== undefined && { sender: nameOf(sender) }),
    ...(recipient !== undefined && { recipient: nameOf(recipient) }),
    ...(address !== undefined && { address: nameOf(address) }),
  };
}
