import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { AbiFunction } from '@cairn-stacks/codec/clarity/abi';
import { clarityFromJson, TypeMismatch } from '@cairn-stacks/codec/clarity/from-json';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { Sql } from '../../db/client.ts';
import { badRequest, notFound, PublicError } from '../../errors.ts';
import type { CallReadOnly } from '../../node/read-only-call.ts';
import { type FunctionCall, renderCallResult } from './function-call-schema.ts';
import { findInterfaceByName } from './interfaces-queries.ts';

/** Calls a read-only function through a node, with arguments that are JSON by the types of its interface. */
export async function callFunction(
  { sql, callReadOnly }: { sql: Sql; callReadOnly: CallReadOnly | undefined },
  contract: string,
  functionName: string,
  { arguments: given = {}, sender }: FunctionCall,
) {
  const functions = isPrincipal(contract) ? await findInterfaceByName(sql, principalToBytes(contract)) : undefined;
  if (!functions) throw notFound('cannot find contract by ID');
  const called = functions.get(functionName);
  if (!called) throw notFound(`the contract has no function ${functionName}`);
  if (called.access !== 'read_only') {
    throw badRequest(`${functionName} is a ${called.access} function: only read-only functions can be called here`);
  }
  if (sender !== undefined && !isPrincipal(sender)) throw badRequest('`sender` must be an address or a contract id');
  const args = argumentsOf(called, given);
  if (!callReadOnly) throw new PublicError(503, 'no node is configured, and read-only calls need one');
  const result = await callReadOnly(contract, functionName, args, sender);
  if (!result) throw new PublicError(503, 'no node responded to the call');
  if ('failed' in result) throw new PublicError(422, `the call failed: ${result.failed}`);
  return renderCallResult(result.value, called);
}

/** The arguments in the order of the function; 400 names the first that does not fit. */
function argumentsOf({ name, args }: AbiFunction, given: NonNullable<FunctionCall['arguments']>): ClarityValue[] {
  if (Array.isArray(given) ? given.length !== args.length : Object.keys(given).some(key => !isArgument(args, key))) {
    const names = args.map(arg => arg.name).join(', ');
    throw badRequest(`${name} takes ${args.length === 0 ? 'no arguments' : `these arguments: ${names}`}`);
  }
  try {
    return args.map((arg, index) => {
      const known = Array.isArray(given) || Object.hasOwn(given, arg.name);
      if (!known && !isOptional(arg.type)) throw new TypeMismatch(arg.name, 'a value, but it is missing');
      const json = Array.isArray(given) ? given[index] : known ? given[arg.name] : null;
      return clarityFromJson(arg.type, json, arg.name);
    });
  } catch (error) {
    if (error instanceof TypeMismatch) throw badRequest(error.message);
    throw error;
  }
}

const isArgument = (args: AbiFunction['args'], name: string) => args.some(arg => arg.name === name);
const isOptional = (type: AbiFunction['args'][number]['type']) => typeof type === 'object' && 'optional' in type;
