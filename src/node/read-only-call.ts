import { encodeClarity } from '../codec/clarity/encode.ts';
import { type ClarityValue, decodeClarity } from '../codec/clarity/value.ts';
import { CodecError } from '../codec/error.ts';
import { fromHex, toHex } from '../codec/hex.ts';

/** What came of a call: a value, or the reason why the contract could not give one. */
export type ReadOnlyResult = { value: ClarityValue } | { failed: string };

/** Calls a read-only function of a contract; undefined when no node answers. */
export type CallReadOnly = (
  contract: string,
  functionName: string,
  args: readonly ClarityValue[],
) => Promise<ReadOnlyResult | undefined>;

/** Posts JSON to a path of some node; undefined when none answers with it. */
export type PostToNode = (path: string, json: string) => Promise<string | undefined>;

/** Makes calls through a node, as anyone can: the sender is the deployer of the contract. */
export function readOnlyCaller(post: PostToNode): CallReadOnly {
  return async (contract, functionName, args) => {
    const [sender = '', name = ''] = contract.split('.');
    const body = { sender, arguments: args.map(arg => toHex(encodeClarity(arg))) };
    const text = await post(`/v2/contracts/call-read/${sender}/${name}/${functionName}`, JSON.stringify(body));
    return text === undefined ? undefined : resultOf(text);
  };
}

/** An answer that is none counts as no answer. */
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
