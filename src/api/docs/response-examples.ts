import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside `src` and `dist`, hence the same path from both. A test makes it from the devnet. */
const file = fileURLToPath(new URL('../../../docs/response-examples.json', import.meta.url));

let examples: Record<string, unknown> | undefined;

/** What an operation responds on the devnet; undefined where there is no example, or the file is not installed. */
export function responseExampleOf(operationId: string | undefined): unknown {
  examples ??= existsSync(file)
    ? ((JSON.parse(readFileSync(file, 'utf8')) as { examples: object }).examples as Record<string, unknown>)
    : {};
  return operationId === undefined ? undefined : examples[operationId];
}
