export type TokenAttribute = { trait_type: string; value: unknown; display_type?: string };
export type Localization = { uri: string; default: string; locales: string[] };

/** What SIP-016 says of a token. Fields of a wrong type are left out; `raw` has the whole document. */
export type TokenJson = {
  name?: string;
  description?: string;
  /** A URI; raw SVG is given as a `data:` URI. */
  image?: string;
  attributes?: TokenAttribute[];
  properties?: Record<string, unknown>;
  localization?: Localization;
  raw: unknown;
};

type Fields = Readonly<Record<string, unknown>>;

const MAX_NAME = 1024;
const MAX_ATTRIBUTES = 1000;
const MAX_LOCALES = 50;
/** Placeholders replaced in one text, so that a document cannot grow by them. */
const MAX_PLACEHOLDERS = 32;
const LOCALE = /^[A-Za-z0-9]{1,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/;
const IMAGE_KEYS = ['image', 'imageUrl', 'image_url', 'image_uri', 'image_canonical_uri'] as const;

/** Reads a document of a token; a localized one may have any part of the fields, another one must have one of them. */
export function readTokenJson(raw: unknown, tokenNumber: bigint, localized = false): TokenJson | { problem: string } {
  if (!isFields(raw)) return { problem: 'the document is not a JSON object' };
  const fill = (value: unknown): unknown => fillIds(value, tokenNumber);
  const name = textIn(raw, 'name', fill);
  if (name !== undefined && name.length > MAX_NAME) return { problem: `the name has more than ${MAX_NAME} characters` };
  const description = textIn(raw, 'description', fill);
  const image = imageIn(raw, fill);
  const attributes = attributesIn(raw.attributes, fill);
  const properties = isFields(raw.properties) ? (fill(raw.properties) as Record<string, unknown>) : undefined;
  const localization = localizationIn(raw.localization);
  const read = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(image !== undefined && { image }),
    ...(attributes !== undefined && { attributes }),
    ...(properties !== undefined && { properties }),
    ...(localization !== undefined && { localization }),
  };
  if (!localized && Object.keys(read).length === 0) return { problem: 'the document has no field of SIP-016' };
  return { ...read, raw };
}

/** The default document with the fields of a localized one in their place; properties are replaced one by one. */
export function mergeLocalized(base: TokenJson, { raw, ...local }: TokenJson): TokenJson {
  const properties = base.properties && local.properties && { ...base.properties, ...local.properties };
  const { localization } = base;
  return { ...base, ...local, ...(properties && { properties }), ...(localization && { localization }), raw };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textIn(fields: Fields, key: string, fill: (value: unknown) => unknown): string | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? (fill(value) as string) : undefined;
}

/** The first image that a document names; `image_data` has raw SVG. */
function imageIn(fields: Fields, fill: (value: unknown) => unknown): string | undefined {
  for (const key of IMAGE_KEYS) {
    const image = textIn(fields, key, fill);
    if (image !== undefined) return asUri(image);
  }
  const properties = isFields(fields.properties) ? fields.properties : {};
  for (const holder of [properties, fields]) {
    const data = holder.image_data;
    // A property may be written as an object with its type, description and value.
    const image = textIn(isFields(data) ? { image_data: data.value } : holder, 'image_data', fill);
    if (image !== undefined) return asUri(image);
  }
  return undefined;
}

const asUri = (image: string) =>
  /^\s*<(?:svg|\?xml|!doctype svg)[\s>]/i.test(image)
    ? `data:image/svg+xml;base64,${Buffer.from(image.trim()).toString('base64')}`
    : image;

/** Keeps the elements that are attributes, whatever the others are; undefined if there are none. */
function attributesIn(value: unknown, fill: (value: unknown) => unknown): TokenAttribute[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const read = value.slice(0, MAX_ATTRIBUTES).flatMap((item: unknown): TokenAttribute[] => {
    if (!isFields(item) || typeof item.trait_type !== 'string') return [];
    if (item.value === undefined || item.value === null) return [];
    const { display_type: type } = item;
    const attribute = { trait_type: item.trait_type, value: fill(item.value) };
    return [typeof type === 'string' ? { ...attribute, display_type: type } : attribute];
  });
  return read.length > 0 ? read : undefined;
}

function localizationIn(value: unknown): Localization | undefined {
  if (!isFields(value) || typeof value.uri !== 'string' || !Array.isArray(value.locales)) return undefined;
  if (!/\{locale\}/i.test(value.uri)) return undefined;
  const fallback = isLocale(value.default) ? value.default : 'en';
  const locales = [...new Set(value.locales.filter(isLocale))].slice(0, MAX_LOCALES);
  return locales.length > 0 ? { uri: value.uri, default: fallback, locales } : undefined;
}

const isLocale = (value: unknown): value is string => typeof value === 'string' && LOCALE.test(value);

/** SIP-016 demands that clients replace `{id}` in every text of the document. */
function fillIds(value: unknown, tokenNumber: bigint): unknown {
  if (typeof value === 'string') return fillText(value, tokenNumber);
  if (Array.isArray(value)) return value.map(item => fillIds(item, tokenNumber));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIds(item, tokenNumber)]));
}

function fillText(text: string, tokenNumber: bigint): string {
  const found = text.match(/\{id\}/gi)?.length ?? 0;
  return found === 0 || found > MAX_PLACEHOLDERS ? text : text.replace(/\{id\}/gi, String(tokenNumber));
}
