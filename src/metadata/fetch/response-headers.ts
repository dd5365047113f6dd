import type { IncomingHttpHeaders } from 'node:http';

const MIN_FRESH_MS = 10 * 60_000;
const MAX_FRESH_MS = 30 * 86_400_000;

/** What a response says of its own lifetime. */
export type Lifetime = {
  /** Milliseconds that it stays valid, within bounds; undefined if it says nothing. */
  freshMs: number | undefined;
  /** False if it must not be stored. */
  storable: boolean;
};

/** Reads `Cache-Control`, `Age` and `Expires` (RFC 9111). */
export function readLifetime(headers: IncomingHttpHeaders): Lifetime {
  const directives = (headers['cache-control'] ?? '').toLowerCase().split(',');
  const has = (name: string) => directives.some(part => part.trim() === name);
  const storable = !has('no-store');
  if (!storable || has('no-cache')) return { freshMs: MIN_FRESH_MS, storable };
  const seconds = secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age');
  if (seconds !== undefined) {
    const age = /^\d+$/.test(headers.age ?? '') ? Number(headers.age) : 0;
    return { freshMs: bounded((seconds - age) * 1000, MIN_FRESH_MS, MAX_FRESH_MS), storable };
  }
  if (headers.expires === undefined) return { freshMs: undefined, storable };
  const sent = Date.parse(headers.date ?? '');
  const lasts = Date.parse(headers.expires) - (Number.isNaN(sent) ? Date.now() : sent);
  return { freshMs: bounded(Number.isNaN(lasts) ? 0 : lasts, MIN_FRESH_MS, MAX_FRESH_MS), storable };
}

function secondsOf(directives: readonly string[], name: string): number | undefined {
  const found = directives
    .map(part => /^\s*([\w-]+)\s*=\s*"?(\d+)"?\s*$/.exec(part))
    .find(match => match?.[1] === name);
  return found?.[2] === undefined ? undefined : Number(found[2]);
}

const bounded = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** Types of content that cannot be a JSON document; servers send JSON under many others. */
const OTHER_CONTENT =
  /^(?:text\/(?:html|css|xml)|application\/(?:xhtml\+xml|xml|pdf|zip|wasm)|(?:image|video|audio|font|multipart|model)\/)/;

/** Why a type of content cannot be metadata; undefined if it can. */
export function contentProblem(type: string | undefined): string | undefined {
  const plain = (type ?? '').trim().toLowerCase();
  if (/^(?:text\/html|application\/xhtml)/.test(plain)) return 'the URI leads to a web page';
  return OTHER_CONTENT.test(plain) ? 'the URI leads to content that is not JSON' : undefined;
}
