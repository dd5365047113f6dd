import { ApiFailure, BadArguments } from './api-reader.ts';
import type { Found } from './tool.ts';

/** Characters of one answer: more costs a model its context. */
const MAX_CHARACTERS = 20_000;

/** The text of an answer: JSON on one line, cut with a mark if it is too long. */
export function answerText({ data, next_cursor, next_steps }: Found): string {
  const rest = { ...(next_cursor !== undefined && { next_cursor }), ...(next_steps?.length && { next_steps }) };
  const text = JSON.stringify({ data, ...rest });
  if (text.length <= MAX_CHARACTERS) return text;
  const whole = JSON.stringify(data);
  let cut = whole.slice(0, MAX_CHARACTERS);
  // Quotes take two characters in a text.
  while (JSON.stringify(cut).length > MAX_CHARACTERS - 1500) cut = cut.slice(0, Math.floor(cut.length * 0.9));
  const note = 'The answer was too long. Ask for less: a smaller limit, or something narrower.';
  return JSON.stringify({ data_truncated: cut, truncated_from: text.length, note, ...rest });
}

/** What a model is told when a tool fails: what was wrong, and what to send instead. */
export function failureText(error: unknown): string {
  if (error instanceof BadArguments) return JSON.stringify({ error: error.message });
  if (!(error instanceof ApiFailure))
    return JSON.stringify({ error: 'Internal error: the log of the service has the details' });
  const { status, message } = error;
  return JSON.stringify({ error: message, status, ...(status in CURES && { what_to_do: CURES[status] }) });
}

const CURES: Readonly<Record<number, string>> = {
  400: 'Correct the argument that the message names; search finds what an id is.',
  404: 'It is not known on this chain. Check the id, or find it with search; a new transaction may arrive later.',
  429: 'This client has used up its share. Wait as long as the message says, then go on.',
  503: 'The service is starting or busy. Try again in a few seconds.',
};
