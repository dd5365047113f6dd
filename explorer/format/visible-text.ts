/**
 * Characters that do not show, or that change how the text around them shows: control characters, zero-width
 * characters, directions, tags, and halves of surrogate pairs. Line breaks and tabs are left alone.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant alone
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

export type TextPart = { text: string; hidden: boolean };

/** A text as parts: plain ones, and names such as `U+202E` in place of characters that do not show. */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), hidden: false });
    parts.push({ text: codePointName(match[0]), hidden: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), hidden: false });
  return parts;
}

const codePointName = (character: string) =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

const lookalikeScripts = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

/** Whether a text mixes Latin letters with letters that look like them in another script. */
export const mixesScripts = (text: string): boolean => /\p{Script=Latin}/u.test(text) && lookalikeScripts.test(text);

/** Cyrillic and Greek letters that look like Latin ones, and these. */
const lookalikes = new Map(
  [
    ['АВЕЅЗІЈКМНОРСТУХҮԚԜЬ', 'ABES3IJKMHOPCTYXYQWb'],
    ['авеѕзіјкмнорстухүԛԝԁһӏ', 'abes3ijkmhopctyxyqwdhl'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
    ['ανορυχικ', 'avopuxik'],
  ].flatMap(([letters, latin]) => [...letters!].map((letter, i): [string, string] => [letter, [...latin!][i]!])),
);

/** What a text without Latin letters could be taken for, `STX` of the Cyrillic `ЅТХ`; undefined for other texts. */
export function latinLookalike(text: string): string | undefined {
  const letters = [...text].filter(each => /\p{Letter}/u.test(each));
  if (letters.length === 0 || !letters.every(each => lookalikes.has(each))) return undefined;
  return [...text].map(each => lookalikes.get(each) ?? each).join('');
}

/** Whether a text has letters that are made to look like Latin ones. */
export const imitatesLatin = (text: string): boolean => mixesScripts(text) || latinLookalike(text) !== undefined;
