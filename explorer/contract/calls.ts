import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { sortTuples } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { jsonOfClarity } from '@cairn-stacks/codec/clarity/to-json';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { request } from '../api/client.ts';
import type { ClarityData, ClarityValue as ClarityHex } from '../api/schema.ts';
import { readArgument } from '../clarity/argument.ts';

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
): Promise<ClarityValue> {
  const url = `/extended/v1/contract/${encodeURIComponent(id)}/call/${encodeURIComponent(name)}`;
  const values = args.map(({ type, text }) => jsonOfClarity(readArgument(type, text)));
  const { result } = (await request(url, post({ arguments: values }))) as { result: ClarityHex };
  return decodeClarity(fromHex(result.hex));
}

/** The value of a variable now. */
export async function readVariable(id: string, name: string): Promise<ClarityValue> {
  const { data } = (await request(`/v2/data_var/${pathOf(id)}/${encodeURIComponent(name)}?proof=0`)) as ClarityData;
  return decodeClarity(fromHex(data));
}

/** The entry of a map now; none if it has no such key. */
export async function readMapEntry(id: string, map: string, keyType: AbiType, text: string): Promise<ClarityValue> {
  const url = `/v2/map_entry/${pathOf(id)}/${encodeURIComponent(map)}?proof=0`;
  const key = toHex(encodeClarity(sortTuples(readArgument(keyType, text))));
  const { data } = (await request(url, post(key))) as ClarityData;
  return decodeClarity(fromHex(data));
}
