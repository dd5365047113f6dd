import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import { typeOfClarity } from '@cairn-stacks/codec/clarity/type';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex, toHex } from '@cairn-stacks/codec/hex';
import { decodeAccepted } from '@cairn-stacks/codec/transaction/transaction';
import { Type } from 'typebox';
import type { Reader } from '../db/client.ts';
import type { RpcCall, RpcResponse } from '../node/rpc.ts';
import { findContract } from '../read/contracts/contracts-queries.ts';
import { sourceText } from '../read/transactions/transaction-payload-schema.ts';
import type { CallMethod } from './call-method.ts';
import { attempt, isPrincipalOf } from './construction/address.ts';
import type { RosettaContext } from './context.ts';
import { RosettaError, UNAVAILABLE } from './errors.ts';

const NAME = '^([a-zA-Z][a-zA-Z0-9_!?+<>=/*-]{0,127}|[-+=/*]|[<>]=?)$';
const MAX_ARGUMENTS = 100;
const LONGEST_VALUE = 100_000;

const contract = {
  deployer_address: Type.String({ maxLength: 50 }),
  contract_name: Type.String({ maxLength: 128 }),
};
const name = Type.String({ pattern: NAME });
const text = Type.String({ maxLength: LONGEST_VALUE });
const closed = { additionalProperties: false };

type Parameters = Record<string, unknown> & { deployer_address: string; contract_name: string };
type Context = Pick<RosettaContext, 'network' | 'askNode'>;

/** Methods of `/call` that read contracts: from the index what never changes, the rest from the nodes. */
export function contractMethods(context: Context): CallMethod[] {
  const { askNode } = context;
  const stored = [interfaceMethod(context), sourceMethod(context)];
  if (!askNode) return stored;
  return [...stored, ...nodeMethods(context, call => answered(askNode, call))];
}

function interfaceMethod(context: Context): CallMethod {
  return {
    name: 'contract_get_interface',
    idempotent: true,
    parameters: Type.Object(contract, closed),
    async call(parameters, sql) {
      const { abi } = await storedContract(parameters as Parameters, sql, context);
      if (abi === '') throw new RosettaError(609, 'the node told no interface of this contract');
      return JSON.parse(abi) as Record<string, unknown>;
    },
  };
}

function sourceMethod(context: Context): CallMethod {
  return {
    name: 'contract_get_source',
    idempotent: true,
    parameters: Type.Object(contract, closed),
    async call(parameters, sql) {
      const { raw, height } = await storedContract(parameters as Parameters, sql, context);
      const { payload } = decodeAccepted(raw);
      const source = 'source' in payload ? sourceText(payload.source) : '';
      return { source, publish_height: height };
    },
  };
}

async function storedContract(parameters: Parameters, sql: Reader, context: Context) {
  const found = await findContract(sql, principalToBytes(contractOf(parameters, context)));
  if (!found) throw new RosettaError(609, 'no such contract is deployed');
  return found;
}

type AskNode = (call: RpcCall) => Promise<Record<string, unknown>>;

function nodeMethods(context: Context, ask: AskNode): CallMethod[] {
  const path = (parameters: Record<string, unknown>, last: string) =>
    `${contractOf(parameters as Parameters, context).replace('.', '/')}/${encodeURIComponent(parameters[last] as string)}`;
  const read = (method: string, field: string, base: string, idempotent: boolean): CallMethod => ({
    name: method,
    idempotent,
    parameters: Type.Object({ ...contract, [field]: name }, closed),
    call: async parameters =>
      shownValue((await ask({ method: 'GET', path: `/v2/${base}/${path(parameters, field)}?proof=0` })).data),
  });
  return [
    {
      name: 'contract_call_read_only',
      idempotent: false,
      parameters: Type.Object(
        {
          ...contract,
          function_name: name,
          sender: Type.String({ maxLength: 200 }),
          sponsor: Type.Optional(Type.String({ maxLength: 200 })),
          arguments: Type.Optional(Type.Array(text, { maxItems: MAX_ARGUMENTS })),
        },
        closed,
      ),
      async call(parameters) {
        const {
          sender,
          sponsor,
          arguments: given = [],
        } = parameters as { sender: string; sponsor?: string; arguments?: string[] };
        for (const who of [sender, ...(sponsor === undefined ? [] : [sponsor])]) {
          if (!isPrincipalOf(who, context.network)) throw new RosettaError(601, `${who} is no address of this network`);
        }
        const body = { sender, ...(sponsor !== undefined && { sponsor }), arguments: given.map(valueText) };
        const call = post(`/v2/contracts/call-read/${path(parameters, 'function_name')}`, body);
        const { okay, result, cause } = await ask(call);
        if (okay !== true) throw new RosettaError(609, `the contract did not return a value: ${String(cause)}`);
        return shownValue(result);
      },
    },
    read('contract_get_constant_val', 'constant_name', 'constant_val', true),
    read('contract_get_data_var', 'var_name', 'data_var', false),
    {
      name: 'contract_get_map_entry',
      idempotent: false,
      parameters: Type.Object({ ...contract, map_name: name, key: text }, closed),
      call: async parameters => {
        const key = valueText(parameters.key as string);
        return shownValue((await ask(post(`/v2/map_entry/${path(parameters, 'map_name')}?proof=0`, key))).data);
      },
    },
  ];
}

const post = (path: string, json: unknown): RpcCall => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(json)),
});

function contractOf({ deployer_address, contract_name }: Parameters, { network }: Context): string {
  const id = `${deployer_address}.${contract_name}`;
  if (!isPrincipalOf(id, network)) {
    throw new RosettaError(609, 'deployer_address and contract_name must name a contract of this network');
  }
  return id;
}

/** A serialized value as a node wants it. */
function valueText(hex: string): string {
  const bytes = attempt(() => fromHex(hex));
  if (!bytes || !attempt(() => decodeClarity(bytes))) {
    throw new RosettaError(609, 'keys and arguments are serialized Clarity values in hex');
  }
  return toHex(bytes);
}

/** The response of a node as an object; throws if no node responds, or with what it says that there is not. */
async function answered(ask: (call: RpcCall) => Promise<RpcResponse | undefined>, call: RpcCall) {
  const response = await ask(call);
  if (!response) throw new RosettaError(UNAVAILABLE, 'no node responds', 503);
  const said = response.body.toString('utf8');
  if (response.status !== 200) throw new RosettaError(609, `the node says: ${said.slice(0, 200) || 'not found'}`);
  const json = parsed(said);
  if (!json) throw new RosettaError(UNAVAILABLE, 'the node sent something else than JSON', 503);
  return json;
}

function parsed(said: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(said);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function shownValue(hex: unknown): Record<string, unknown> {
  const bytes = typeof hex === 'string' ? attempt(() => fromHex(hex)) : undefined;
  const type = bytes && attempt(() => typeOfClarity(bytes));
  if (!bytes || type === undefined)
    throw new RosettaError(UNAVAILABLE, 'the node sent something else than a value', 503);
  return { ...clarityJson(bytes), type };
}
