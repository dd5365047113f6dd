/** What stands for `*` in a pattern; an empty text if it has none; undefined if the path is another one. */
export function matchPath(pattern: string, path: string): string | undefined {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path;
  if (!pattern.endsWith('*')) return trimmed === pattern ? '' : undefined;
  const prefix = pattern.slice(0, -1);
  const rest = trimmed.slice(prefix.length);
  if (!trimmed.startsWith(prefix) || rest === '' || rest.includes('/')) return undefined;
  try {
    return decodeURIComponent(rest);
  } catch {
    return undefined; // not a text in UTF-8
  }
}
