import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError } from '@cairn-stacks/codec/error';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';

/** Result of a call: a value, or the reason why the contract returned none. */
export type ReadOnlyResult = { value: ClarityValue } | { failed: string };

/** Calls a read-only function of a contract, by default as its deployer; undefined if no node responds. */
export type CallReadOnly = (
  contract: string,
  functionName: string,
  args: readonly ClarityValue[],
  sender?: string,
) => Promise<ReadOnlyResult | undefined>;

/** Posts JSON to a path of a node; undefined if none responds with 200. */
export type PostToNode = (path: string, json: string) => Promise<string | undefined>;

/** Calls functions through a node. */
export function readOnlyCaller(post: PostToNode): CallReadOnly {
  return async (contract, functionName, args, sender) => {
    const [deployer = '', name = ''] = contract.split('.');
    const body = { sender: sender ?? deployer, arguments: args.map(arg => toHex(encodeClarity(arg))) };
    const path = `/v2/contracts/call-read/${deployer}/${name}/${encodeURIComponent(functionName)}`;
    const text = await post(path, JSON.stringify(body));
    return text === undefined ? undefined : resultOf(text);
  };
}

/** An invalid response counts as no response. */
function resultOf(text: string): ReadOnlyResult | undefined {
  try {
    const { okay, result, cause } = JSON.parse(text) as { okay?: unknown; result?: unknown; cause?: unknown };
    if (okay === true && typeof result === 'string') return { value: decodeClarity(fromHex(result)) };
    return okay === false ? { failed: String(cause) } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof CodecError || error instanceof TypeError) return undefined;
    throw error;
  }
}
