import { isPrincipal } from '../../codec/address/principal.ts';
import { encodeClarity } from '../../codec/clarity/encode.ts';
import { decodeClarity } from '../../codec/clarity/value.ts';
import { CodecError } from '../../codec/error.ts';
import { fromHex, toHex } from '../../codec/hex.ts';
import { matchesType } from '../contracts/argument-type.ts';
import { entryKey, interfaceOf, readOnlyContext, variableKey } from '../contracts/contract-model.ts';
import { initialModel, modelOf } from '../contracts/model-list.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import { sourceKey, unknownInterface } from '../node/submission.ts';
import { badRequest, notFound, type RpcResponse, type RpcRoute } from './route.ts';

/** Contracts: interface, source, read-only calls, maps and variables. */
export function contractRoutes(node: DevnetNode): RpcRoute[] {
  const none = toHex(encodeClarity({ type: 'none' }));
  return [
    {
      method: 'GET',
      path: /^\/v2\/contracts\/interface\/([^/]+)\/([^/]+)$/,
      respond({ params }) {
        const contract = params.join('.');
        const model = modelOf(node.state, contract, node.network);
        if (model) return { json: interfaceOf(model, node.chain.release.nakamoto) };
        if (!node.state.contracts.has(contract)) return notFound('No contract interface data found');
        return { json: unknownInterface(node.chain.release) };
      },
    },
    {
      method: 'GET',
      path: /^\/v2\/contracts\/source\/([^/]+)\/([^/]+)$/,
      respond({ params }) {
        const source = sourceOf(node, params.join('.'));
        if (source === undefined) return notFound('No contract source data found');
        return { json: { source, publish_height: 0, proof: '' } };
      },
    },
    {
      method: 'POST',
      path: /^\/v2\/contracts\/call-read\/([^/]+)\/([^/]+)\/([^/]+)$/,
      respond: async ({ params: [address, name, functionName], body }) =>
        callReadOnly(node, `${address}.${name}`, functionName!, await body()),
    },
    {
      method: 'POST',
      path: /^\/v2\/map_entry\/([^/]+)\/([^/]+)\/([^/]+)$/,
      async respond({ params: [address, name, map], body }) {
        try {
          const key = decodeClarity(fromHex(JSON.parse((await body()).toString('utf8')) as string));
          const value = node.state.data.get(entryKey(`${address}.${name}`, map!, key));
          return { json: { data: value === undefined ? none : `0x0a${value.slice(2)}`, proof: '' } };
        } catch (error) {
          return badRequest(`Failed to deserialize: ${(error as Error).message}`);
        }
      },
    },
    {
      method: 'GET',
      path: /^\/v2\/data_var\/([^/]+)\/([^/]+)\/([^/]+)$/,
      respond({ params: [address, name, variable] }) {
        const value = node.state.data.get(variableKey(`${address}.${name}`, variable!));
        return value === undefined ? notFound('Data var not found') : { json: { data: value, proof: '' } };
      },
    },
  ];
}

function sourceOf({ state, network }: DevnetNode, contract: string): string | undefined {
  return initialModel(contract, network)?.source ?? state.data.get(sourceKey(contract));
}

/** Runs a read-only function; errors have the format of a node. */
export function callReadOnly(node: DevnetNode, contract: string, functionName: string, body: Buffer): RpcResponse {
  const { state, network } = node;
  let parsed: { sender?: unknown; arguments?: unknown };
  try {
    parsed = JSON.parse(body.toString('utf8')) as typeof parsed;
    const { sender, arguments: texts } = parsed;
    if (typeof sender !== 'string' || !isPrincipal(sender) || !Array.isArray(texts)) {
      return badRequest('expected {"sender", "arguments"}');
    }
    const model = modelOf(state, contract, network);
    const called = model?.functions[functionName];
    if (!called) return failed(model || state.contracts.has(contract) ? 'UndefinedFunction' : 'NoSuchContract');
    const args = texts.map(text => decodeClarity(fromHex(String(text))));
    if (args.length !== called.args.length || !called.args.every(([, type], i) => matchesType(type, args[i]!))) {
      return failed('Unchecked(IncorrectArgumentCount or type)');
    }
    if (called.access !== 'read_only') return failed('NotReadOnly');
    const { result } = called.run(readOnlyContext(node, contract, sender), args);
    return { json: { okay: true, result: toHex(encodeClarity(result)) } };
  } catch (error) {
    if (error instanceof CodecError || error instanceof SyntaxError || error instanceof RangeError) {
      return badRequest(`Failed to deserialize: ${error.message}`);
    }
    throw error;
  }
}

const failed = (cause: string): RpcResponse => ({ json: { okay: false, cause } });
