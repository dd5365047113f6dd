import { isPrincipal } from '@cairn-stacks/codec/address/principal';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { clarityJson } from '@cairn-stacks/codec/clarity/json';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { fromHex } from '@cairn-stacks/codec/hex';
import { Type } from 'typebox';
import { inSnapshot } from '../db/pool/snapshot.ts';
import { findExecutedNonce, listPendingNonces } from '../read/principals/nonces-queries.ts';
import { renderNonces } from '../read/principals/nonces-schema.ts';
import { principalOf } from './account.ts';
import { valueIn } from './call-arguments.ts';
import type { CallMethod } from './call-method.ts';
import type { RosettaContext } from './context.ts';
import { contractMethods } from './contract-calls.ts';
import { RosettaError, UNAVAILABLE } from './errors.ts';

const NAME = '^([a-zA-Z][a-zA-Z0-9_!?+<>=/*-]{0,127}|[-+=/*]|[<>]=?)$';
const MAX_ARGUMENTS = 100;

type CallContext = Pick<RosettaContext, 'network' | 'compat' | 'callReadOnly' | 'askNode'>;

/** The available methods: reading contracts needs a node. */
export function callMethods({ callReadOnly, ...context }: CallContext): CallMethod[] {
  const nonces: CallMethod = {
    name: 'account_nonces',
    idempotent: false,
    parameters: Type.Object({ address: Type.String() }, { additionalProperties: false }),
    async call({ address }, sql) {
      const account = principalOf(address as string, context);
      return await inSnapshot(sql, async sql => {
        const [executed, pending] = await Promise.all([
          findExecutedNonce(sql, account, 'unanchored'),
          listPendingNonces(sql, account),
        ]);
        return renderNonces(executed?.nonce ?? null, pending);
      });
    },
  };
  const readOnly: CallMethod = {
    name: 'call_read_only',
    idempotent: false,
    parameters: Type.Object(
      {
        contract_id: Type.String({ maxLength: 200 }),
        function_name: Type.String({ pattern: NAME }),
        arguments: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_ARGUMENTS })),
      },
      { additionalProperties: false },
    ),
    async call({ contract_id, function_name, arguments: given = [] }) {
      const contract = contract_id as string;
      if (!contract.includes('.') || !isPrincipal(contract)) {
        throw new RosettaError(609, 'contract_id must be the identifier of a contract, as SP….name');
      }
      const result = await callReadOnly?.(contract, function_name as string, (given as string[]).map(argumentOf));
      if (!result) throw new RosettaError(UNAVAILABLE, 'no node responds', 503);
      if ('failed' in result) return { okay: false, cause: result.failed };
      return { okay: true, result: clarityJson(encodeClarity(result.value)) };
    },
  };
  return [...(callReadOnly ? [readOnly] : []), nonces, ...contractMethods(context)];
}

function argumentOf(hex: string, index: number): ClarityValue {
  const value = /^(0x)?([0-9a-f]{2})+$/i.test(hex) ? valueIn(fromHex(hex)) : undefined;
  if (!value) throw new RosettaError(609, `argument ${index} is not a serialized Clarity value`);
  return value;
}
