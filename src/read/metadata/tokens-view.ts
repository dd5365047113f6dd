import { isPrincipal, principalToBytes } from '../../codec/address/principal.ts';
import { toHex } from '../../codec/hex.ts';
import { serverVersion } from '../../config/version.ts';
import type { Sql } from '../../db/client.ts';
import { PublicError } from '../../errors.ts';
import { renderFound, renderFtBasic, renderMetadataError } from './token-schema.ts';
import * as queries from './tokens-queries.ts';

const failure = (status: number, error: string, more: Record<string, unknown> = {}) =>
  new PublicError(status, error, { error, ...more });

const unknownContract = () => failure(404, 'Contract not found');
const unknownToken = () => failure(404, 'Token not found');

/** Token numbers have 128 bits. */
const maxNumber = (1n << 128n) - 1n;

/** A token whose contract was called, rendered; the errors are those of the published service. */
export async function findToken<T>(
  sql: Sql,
  contract: string,
  number: bigint,
  locale: string | undefined,
  render: (row: queries.TokenRow) => T,
): Promise<T> {
  if (!isPrincipal(contract)) throw unknownContract();
  const found = await queries.findToken(sql, principalToBytes(contract), number > maxNumber ? -1n : number, locale);
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
const hasFacts = ({ uri, name, symbol, decimals, supply, metadata }: queries.TokenRow) =>
  [uri, name, symbol, decimals, supply, metadata].some(value => value !== null);

export async function listFungibleTokens(
  sql: Sql,
  filter: queries.FtFilter,
  order: queries.FtOrder,
  page: { limit: number; offset: number },
) {
  const { total, rows } = await queries.listFungibleTokens(sql, filter, order, page);
  return { ...page, total, results: rows.map(renderFtBasic) };
}

/** The tokens that are known among some, each written `CONTRACT` or `CONTRACT:NUMBER`, in their order. */
export async function searchTokens(sql: Sql, wanted: readonly string[], locale: string | undefined) {
  const keys = [...new Set(wanted)].flatMap(text => {
    const [contract = '', number = '1'] = text.split(':');
    if (!isPrincipal(contract) || BigInt(number) > maxNumber) return [];
    return [{ contract: principalToBytes(contract), number: BigInt(number) }];
  });
  const rows = keys.length === 0 ? [] : await queries.listTokens(sql, keys, locale);
  return rows.filter(row => row.read_at !== null).map(renderFound);
}

export async function describeMetadata(sql: Sql) {
  const block = await queries.findSearchedBlock(sql);
  const chain_tip = block ? { block_height: block.height, index_block_hash: toHex(block.index_hash) } : null;
  return { server_version: serverVersion, status: 'ready', chain_tip };
}
