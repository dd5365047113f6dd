/** Seconds as UTC text with milliseconds; empty where there is no time. */
export const isoTime = (seconds: number) => (seconds > 0 ? new Date(seconds * 1000).toISOString() : '');
