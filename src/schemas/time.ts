const remembered = 4096;
const texts = new Map<number, string>();

/** Seconds as UTC text with milliseconds; empty where there is no time. */
export const isoTime = (seconds: number) => (seconds > 0 ? isoTimeFrom0(seconds) : '');

/** Seconds as UTC text, 0 too: block 0 of a test network has no other time. A page says the same few times again and again. */
export function isoTimeFrom0(seconds: number): string {
  let text = texts.get(seconds);
  if (text === undefined) {
    text = new Date(seconds * 1000).toISOString();
    if (texts.size >= remembered) texts.clear();
    texts.set(seconds, text);
  }
  return text;
}
