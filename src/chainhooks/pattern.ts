import { RE2JS, RE2JSException } from 're2js';
import { badRequest } from '../errors.ts';

/** Instructions of a compiled pattern: a short one such as `(a{100}){100}` may become a long program. */
const MAX_PROGRAM = 500;
/** Characters of a text that are searched; the time grows with them and with the program. */
const MAX_TEXT = 20_000;

/**
 * A regular expression of a user, run by an engine whose time grows with the text and never beyond: what backtracks would let
 * one pattern stop the process.
 */
export function openPattern(pattern: string): (text: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern);
    if (compiled.programSize() > MAX_PROGRAM) throw badRequest('matches_regex is too complex: use a shorter pattern');
    return text => compiled.matcher(text.slice(0, MAX_TEXT)).find();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw badRequest(`matches_regex cannot be used: ${error.message}`);
  }
}
