import type { Pool, Tx } from '../../db/client.ts';
import type { Statement, StatementPart } from '../../db/statement.ts';

/** A pool that sends each statement and each transaction to the pool that is current by then. */
export function forwardingPool(current: () => Pool): Pool {
  const sql = (first: TemplateStringsArray | string, ...parts: StatementPart[]): Statement<never> =>
    typeof first === 'string' ? current()(first) : current()(first, ...parts);
  const first = current();
  const methods: Pick<Pool, Exclude<keyof Pool, never>> = {
    unsafe: text => current().unsafe(text),
    begin: <T>(...given: [string, (tx: Tx) => Promise<T>] | [(tx: Tx) => Promise<T>]) =>
      typeof given[0] === 'string' ? current().begin(given[0], given[1]!) : current().begin(given[0]),
    within: ms => current().within(ms),
    forResponse: reads => current().forResponse(reads),
    isBusy: withinMs => current().isBusy(withinMs),
    listen: (...given) => current().listen(...given),
    end: options => current().end(options),
    options: first.options,
    server: first.server,
  };
  return Object.assign(sql, methods) as Pool;
}
