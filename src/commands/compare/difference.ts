/** A field in which two responses differ; undefined on the side that lacks it. */
export type Difference = { field: string; here: unknown; there: unknown };

export type DifferenceOptions = {
  /** Fields to ignore. */
  ignore?: RegExp | undefined;
  /** True if rows of lists may be in any order. */
  unordered?: boolean;
};

/** Maximum number of reported differences. */
const MAX_DIFFERENCES = 50;

/** Differences of two JSON values, in document order; the order of keys is ignored. */
export function differencesOf(here: unknown, there: unknown, options: DifferenceOptions = {}): Difference[] {
  const found: Difference[] = [];
  compareValues(found, '', here, there, options);
  return found;
}

function compareValues(
  found: Difference[],
  field: string,
  here: unknown,
  there: unknown,
  options: DifferenceOptions,
): void {
  if (Object.is(here, there) || found.length >= MAX_DIFFERENCES || options.ignore?.test(field)) return;
  if (Array.isArray(here) && Array.isArray(there)) {
    compareLists(found, field, here, there, options);
  } else if (isObject(here) && isObject(there)) {
    for (const key of new Set([...Object.keys(here), ...Object.keys(there)])) {
      compareValues(found, field === '' ? key : `${field}.${key}`, own(here, key), own(there, key), options);
    }
  } else {
    found.push({ field, here, there });
  }
}

function compareLists(
  found: Difference[],
  field: string,
  here: readonly unknown[],
  there: readonly unknown[],
  options: DifferenceOptions,
): void {
  if (here.length !== there.length) {
    found.push({ field: `${field}.length`, here: here.length, there: there.length });
  }
  const [ours, theirs] = options.unordered ? [inFixedOrder(here), inFixedOrder(there)] : [here, there];
  for (let i = 0; i < Math.min(ours.length, theirs.length); i++) {
    compareValues(found, `${field}[${i}]`, ours[i], theirs[i], options);
  }
}

/** The text of a value, independent of the order of keys. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  const keys = Object.keys(value).sort();
  return `{${keys.map(key => `${JSON.stringify(key)}:${canonicalText(value[key])}`).join()}}`;
}

const inFixedOrder = (list: readonly unknown[]): unknown[] =>
  list
    .map(item => ({ item, text: canonicalText(item) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ item }) => item);

const own = (object: Record<string, unknown>, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
