import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { Sql } from '../../db/client.ts';
import { PublicError } from '../../errors.ts';
import { renderMetadataError } from './token-schema.ts';
import { findToken as findTokenRow, type TokenRow } from './tokens-queries.ts';

const failure = (status: number, error: string, more: Record<string, unknown> = {}) =>
  new PublicError(status, error, { error, ...more });

const unknownContract = () => failure(404, 'Contract not found');
const unknownToken = () => failure(404, 'Token not found');

/** Token numbers have 128 bits. */
export const maxTokenNumber = (1n << 128n) - 1n;

/** A token whose contract was called, rendered; the errors are those of the published service. */
export async function findToken<T>(
  sql: Sql,
  contract: string,
  number: bigint,
  locale: string | undefined,
  render: (row: TokenRow) => T,
): Promise<T> {
  if (!isPrincipal(contract)) throw unknownContract();
  const found = await findTokenRow(sql, principalToBytes(contract), number > maxTokenNumber ? -1n : number, locale);
  if (!found) throw unknownContract();
  const { token, localeFound } = found;
  if (!token) throw unknownToken();
  if (!localeFound) throw failure(422, 'Locale not found');
  const error = renderMetadataError(token);
  if (error && !hasFacts(token)) {
    throw failure(422, 'Token error', { message: error.message, metadata_error: error });
  }
  if (token.read_at === null) throw failure(422, 'Token metadata fetch in progress');
  return render(token);
}

/** Whether anything is known of a token: then it is shown, whatever else has failed. */
const hasFacts = ({ uri, name, symbol, decimals, supply, metadata }: TokenRow) =>
  [uri, name, symbol, decimals, supply, metadata].some(value => value !== null);
