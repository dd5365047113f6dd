import { request } from '../api/client.ts';
import type { ClarityData } from '../api/schema.ts';
import { type AbiType, readArgument } from '../clarity/argument.ts';
import { decodeClarity, encodeClarity } from '../clarity/bytes.ts';
import type { ClarityTree } from '../clarity/value.ts';

type ReadOnlyResult = { okay?: boolean; result?: string; cause?: string };

const post = (body: unknown) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

const pathOf = (id: string) => id.split('.').map(encodeURIComponent).join('/');

/** Calls a read-only function through the nodes behind the server. */
export async function callReadOnly(
  id: string,
  name: string,
  args: readonly { type: AbiType; text: string }[],
): Promise<ClarityTree> {
  const [sender] = id.split('.');
  const url = `/v2/contracts/call-read/${pathOf(id)}/${encodeURIComponent(name)}`;
  const hex = args.map(({ type, text }) => encodeClarity(readArgument(type, text)));
  const response = (await request(url, post({ sender, arguments: hex }))) as ReadOnlyResult;
  if (!response.okay || response.result === undefined) throw new Error(response.cause ?? 'The call failed.');
  return decodeClarity(response.result);
}

/** The value of a variable now. */
export async function readVariable(id: string, name: string): Promise<ClarityTree> {
  const { data } = (await request(`/v2/data_var/${pathOf(id)}/${encodeURIComponent(name)}?proof=0`)) as ClarityData;
  return decodeClarity(data);
}

/** The entry of a map now; none if it has no such key. */
export async function readMapEntry(id: string, map: string, keyType: AbiType, text: string): Promise<ClarityTree> {
  const url = `/v2/map_entry/${pathOf(id)}/${encodeURIComponent(map)}?proof=0`;
  const key = encodeClarity(readArgument(keyType, text));
  const { data } = (await request(url, post(key))) as ClarityData;
  return decodeClarity(data);
}
