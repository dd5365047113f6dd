import { isPrincipal } from '@cairn-stacks/codec/address/principal';

/** What an operator calls principals. */
export type Labels = ReadonlyMap<string, string>;

const MAX_LABELS = 100_000;
const MAX_LENGTH = 60;
/** Characters that do not show, or that change the direction of text, would make a label look like another one. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** Reads a file of labels, a JSON object of texts by address or contract; or says what is wrong with it. */
export function parseLabels(text: string): { labels: Labels } | { problem: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { problem: `it is not JSON (${(error as Error).message})` };
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    return { problem: 'it must be a JSON object such as {"SP…": "Exchange"}' };
  const entries = Object.entries(parsed);
  if (entries.length > MAX_LABELS) return { problem: `it has more than ${MAX_LABELS} labels` };
  for (const [principal, label] of entries) {
    const problem = problemOf(principal, label);
    if (problem !== undefined) return { problem };
  }
  return { labels: new Map(entries as [string, string][]) };
}

function problemOf(principal: string, label: unknown): string | undefined {
  const shown = JSON.stringify(principal.slice(0, 100));
  if (!isPrincipal(principal)) return `${shown} is neither an address nor a contract`;
  if (typeof label !== 'string' || label.trim() === '') return `the label of ${shown} must be a text`;
  if (label.length > MAX_LENGTH) return `the label of ${shown} has more than ${MAX_LENGTH} characters`;
  return HIDDEN.test(label) ? `the label of ${shown} has characters that do not show` : undefined;
}
