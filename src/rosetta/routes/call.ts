import type { CallMethod } from '../call-method.ts';
import { RosettaError } from '../errors.ts';
import { requestCheck } from '../request.ts';
import { type RosettaRoute, rosettaRoute } from '../route.ts';
import { RosettaCallRequest, RosettaCallResponse } from '../schemas/search.ts';

/** Functions without an endpoint in the specification. */
export function callRoute(methods: readonly CallMethod[], compat: boolean): RosettaRoute {
  const known = new Map(
    methods.map(method => [method.name, { method, check: requestCheck(method.parameters, compat) }]),
  );
  const names = [...known.keys()].join(', ');
  return rosettaRoute({
    path: '/call',
    operationId: 'rosetta_call',
    summary: 'Call a method',
    description:
      '`call_read_only` calls a read-only contract function; its parameters are `contract_id`, `function_name` and ' +
      '`arguments` (Clarity values in hex). `account_nonces` returns the nonces of an account; its parameter is ' +
      '`address`. The methods `contract_…` read a contract named by `deployer_address` and `contract_name`: ' +
      '`contract_call_read_only` (`function_name`, `sender`, `sponsor`, `arguments`), `contract_get_interface`, ' +
      '`contract_get_source`, `contract_get_constant_val` (`constant_name`), `contract_get_data_var` (`var_name`) and ' +
      '`contract_get_map_entry` (`map_name`, `key`).',
    request: RosettaCallRequest,
    response: RosettaCallResponse,
    async handler({ method: name, parameters = {} }, sql) {
      const found = known.get(name);
      if (!found) throw new RosettaError(609, `method must be one of ${names}`);
      found.check(parameters);
      return { result: await found.method.call(parameters, sql), idempotent: found.method.idempotent };
    },
  });
}
