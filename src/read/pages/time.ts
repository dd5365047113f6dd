/** Seconds as UTC text with milliseconds; empty where there is no time. */
export const isoTime = (seconds: number) => (seconds > 0 ? isoTimeFrom0(seconds) : '');

/** Seconds as UTC text, 0 included: block 0 of a test network has no other time. */
export const isoTimeFrom0 = (seconds: number): string => new Date(seconds * 1000).toISOString();
