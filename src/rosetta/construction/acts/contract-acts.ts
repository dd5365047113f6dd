import { parsePrincipal } from '@cairn-stacks/codec/address/principal';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex } from '@cairn-stacks/codec/hex';
import { isClarityName, isContractName } from '@cairn-stacks/codec/name';
import { callPayload, deployPayload } from '@cairn-stacks/codec/transaction/build';
import { Type } from 'typebox';
import { RosettaError } from '../../errors.ts';
import { attempt, isPrincipalOf } from '../address.ts';
import { act } from './act.ts';

/** Nodes refuse longer names of new contracts. */
const MAX_CONTRACT_NAME = 40;
/** More arguments than any function has. */
const MAX_ARGUMENTS = 100;
/** The size of the largest transaction. */
const MAX_BYTES = 2_097_152;

const hexText = Type.String({ maxLength: 2 * MAX_BYTES, description: 'Serialized Clarity value in hex.' });

/** A call of a public function. */
export const contractCall = act({
  type: 'contract_call',
  amount: 'none',
  terms: Type.Object({
    contract_identifier: Type.String({ maxLength: 200, description: 'The called contract: `ADDRESS.NAME`.' }),
    function_name: Type.String({ maxLength: 128 }),
    args: Type.Optional(
      Type.Array(Type.Union([hexText, Type.Object({ hex: hexText })]), {
        maxItems: MAX_ARGUMENTS,
        description: 'Arguments in order, as `/construction/parse` returns them or as hex alone.',
      }),
    ),
  }),
  payload({ contract_identifier: contract, function_name: name, args = [] }, { network }) {
    if (!isPrincipalOf(contract, network) || !contract.includes('.')) {
      throw new RosettaError(621, 'contract_identifier must be a contract of this network, as ST….name');
    }
    if (!isClarityName(name)) throw new RosettaError(621, 'function_name must be the name of a function');
    const values = args.map((arg, i) => {
      const hex = typeof arg === 'string' ? arg : arg.hex;
      const value = attempt(() => decodeClarity(fromHex(hex)));
      if (!value) throw new RosettaError(621, `args[${i}] must be a serialized Clarity value in hex`);
      return value;
    });
    return callPayload(contract, name, values);
  },
});

/** A deploy of a contract by the sender. */
export const contractDeploy = act({
  type: 'contract_deploy',
  amount: 'none',
  terms: Type.Object({
    contract_name: Type.String({ maxLength: 128 }),
    source_code: Type.String({ minLength: 1, maxLength: MAX_BYTES }),
    clarity_version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 7, description: 'Without it, the version of the epoch applies.' }),
    ),
  }),
  payload({ contract_name: name, source_code: source, clarity_version: version }) {
    if (!isContractName(name) || name.length > MAX_CONTRACT_NAME) {
      throw new RosettaError(
        621,
        `contract_name must begin with a letter and have at most ${MAX_CONTRACT_NAME} letters, digits, - and _`,
      );
    }
    const payload = attempt(() => deployPayload(name, source, version));
    if (!payload) throw new RosettaError(621, 'source_code must be text');
    return payload;
  },
});

/** The contract of an identifier; undefined if it is none. */
export const isContract = (text: string): boolean => attempt(() => parsePrincipal(text))?.name !== undefined;
