import { isPrincipal } from '@cairn-stacks/codec/address/principal';
import { none, some } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError } from '@cairn-stacks/codec/error';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import type { BuiltBlock } from '../chain/built-block.ts';
import { argumentProblem, matchesType } from '../contracts/argument-type.ts';
import {
  type ContractModel,
  entryKey,
  functionOf,
  interfaceOf,
  readData,
  readOnlyContext,
  VmFailure,
  variableKey,
} from '../contracts/contract-model.ts';
import { initialModel, modelOf } from '../contracts/model-list.ts';
import { implementsTrait, publishedOf, sourceKey } from '../contracts/user-contract.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import { badRequest, notFound, type RpcRequest, type RpcResponse, type RpcRoute } from './route.ts';
import { blockAtTip } from './tip.ts';

/** A contract at the block of a request. */
type Subject = { contract: string; tip: BuiltBlock; model: ContractModel };

/** Contracts: interface, source, read-only calls, maps, variables, constants and traits. */
export function contractRoutes(node: DevnetNode): RpcRoute[] {
  /** A route about one contract; it answers 404 if the contract or the chain tip is unknown. */
  const route = (
    method: 'GET' | 'POST',
    name: string,
    further: number,
    respond: (subject: Subject, params: string[], request: RpcRequest) => RpcResponse | Promise<RpcResponse>,
  ): RpcRoute => ({
    method,
    path: new RegExp(`^/v2/${name}${'/([^/]+)'.repeat(2 + further)}$`),
    respond(request) {
      const [address, contractName, ...params] = request.params;
      const tip = blockAtTip(node, request.query);
      if (!tip) return notFound('No such chain tip');
      const contract = `${address}.${contractName}`;
      const model = modelOf(tip.state, contract, node.network);
      return model ? respond({ contract, tip, model }, params, request) : notFound('No such contract');
    },
  });
  /** A value with its proof, which the devnet cannot give, unless the request asks for none. */
  const withProof = (data: string, query: URLSearchParams) => ({
    json: { data, ...(query.get('proof') !== '0' && { proof: '' }) },
  });
  return [
    route('GET', 'contracts/interface', 0, ({ model }) => ({ json: interfaceOf(model, node.chain.release.nakamoto) })),
    route('GET', 'contracts/source', 0, ({ contract, tip, model }, _, { query }) => {
      const source = initialModel(contract, node.network)?.source ?? tip.state.data.get(sourceKey(contract));
      const { height } = publishedOf(tip.state, contract);
      const proof = query.get('proof') === '0' ? {} : { proof: '' };
      return { json: { source: source ?? model.source, publish_height: height, ...proof } };
    }),
    {
      method: 'POST',
      path: /^\/v2\/contracts\/call-read\/([^/]+)\/([^/]+)\/([^/]+)$/,
      async respond({ params: [address, name, functionName], query, body }) {
        const tip = blockAtTip(node, query);
        if (!tip) return notFound('No such chain tip');
        return callReadOnly(node, `${address}.${name}`, functionName!, await body(), tip);
      },
    },
    route('POST', 'map_entry', 1, async ({ contract, tip, model }, [map = ''], { body, query }) => {
      const known = interfaceOf(model, true).maps.find(each => each.name === map);
      if (!known) return notFound('Data map not found');
      const key = await readKey(body);
      if (!key || !matchesType(known.key, key))
        return badRequest('Invalid key: not a Clarity value of the type of the map');
      const computed = model.entries && Object.hasOwn(model.entries, map) ? model.entries[map] : undefined;
      const context = readOnlyContext({ state: tip.state, tip, network: node.network }, contract, contract);
      const entry = computed ? computed(context, key) : readData(tip.state, entryKey(contract, map, key));
      return withProof(toHex(encodeClarity(entry ? some(entry) : none)), query);
    }),
    route('GET', 'data_var', 1, ({ contract, tip, model }, [name = ''], { query }) => {
      const initial = model.initial && Object.hasOwn(model.initial, name) ? model.initial[name] : undefined;
      const value = tip.state.data.get(variableKey(contract, name)) ?? (initial && toHex(encodeClarity(initial)));
      return value === undefined ? notFound('Data var not found') : withProof(value, query);
    }),
    route('GET', 'constant_val', 1, ({ model }, [name = '']) => {
      const value = model.constants && Object.hasOwn(model.constants, name) ? model.constants[name] : undefined;
      return value ? { json: { data: toHex(encodeClarity(value)) } } : notFound('Constant not found');
    }),
    route('GET', 'traits', 3, ({ contract, tip }, trait) => ({
      json: { is_implemented: implementsTrait(tip.state, contract, trait.join('.')) },
    })),
  ];
}

/** The key of a map entry, from a JSON string of hex. */
async function readKey(body: () => Promise<Buffer>): Promise<ClarityValue | undefined> {
  try {
    const text: unknown = JSON.parse((await body()).toString('utf8'));
    return typeof text === 'string' ? decodeClarity(fromHex(text)) : undefined;
  } catch (error) {
    if (isMalformed(error)) return undefined;
    throw error;
  }
}

const isMalformed = (error: unknown): error is Error =>
  error instanceof CodecError || error instanceof SyntaxError || error instanceof RangeError;

/** Runs a read-only function; errors have the format of a node. */
export function callReadOnly(
  node: DevnetNode,
  contract: string,
  functionName: string,
  body: Buffer,
  tip = node.tip,
): RpcResponse {
  const { network } = node;
  const { state } = tip;
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const { sender, arguments: texts } = (parsed ?? {}) as { sender?: unknown; arguments?: unknown };
    if (typeof sender !== 'string' || !isPrincipal(sender) || !Array.isArray(texts)) {
      return badRequest('expected {"sender", "arguments"}');
    }
    const model = modelOf(state, contract, network);
    const called = functionOf(model, functionName);
    if (!called)
      return failed(
        model ? `Unchecked(UndefinedFunction("${functionName}"))` : `Unchecked(NoSuchContract("${contract}"))`,
      );
    const args = texts.map(text => decodeClarity(fromHex(String(text))));
    const problem = argumentProblem(called.args, args);
    if (problem !== undefined) return failed(`Unchecked(${problem})`);
    if (called.access !== 'read_only') return failed('NotReadOnly');
    const { result } = called.run(readOnlyContext({ state, tip, network }, contract, sender), args);
    return { json: { okay: true, result: toHex(encodeClarity(result)) } };
  } catch (error) {
    if (error instanceof VmFailure) return failed(error.message);
    if (isMalformed(error)) return badRequest(`Failed to deserialize: ${error.message}`);
    throw error;
  }
}

const failed = (cause: string): RpcResponse => ({ json: { okay: false, cause } });
