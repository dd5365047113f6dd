import { request } from '../api/client.ts';
import type { ClarityData, ClarityValue } from '../api/schema.ts';
import { type AbiType, readArgument } from '../clarity/argument.ts';
import { decodeClarity, encodeClarity } from '../clarity/bytes.ts';
import { jsonOfTree } from '../clarity/json.ts';
import type { ClarityTree } from '../clarity/value.ts';

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
  const url = `/extended/v1/contract/${encodeURIComponent(id)}/call/${encodeURIComponent(name)}`;
  const values = args.map(({ type, text }) => jsonOfTree(readArgument(type, text)));
  const { result } = (await request(url, post({ arguments: values }))) as { result: ClarityValue };
  return decodeClarity(result.hex);
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
