/** How wide a text is drawn at most, in pixels at 11.5 px: letters of East Asian scripts and signs take twice the room. */
function widthOf(character: string): number {
  const code = character.codePointAt(0)!;
  if (code >= 0x1100 && !/\p{Punctuation}/u.test(character)) return 13;
  return /[MW@%mw]/.test(character) ? 11 : 7.5;
}

/** A text that fits a width: its middle is left out where it is too long. */
export function fitText(text: string, width: number): string {
  const characters = [...text];
  const total = characters.reduce((sum, character) => sum + widthOf(character), 0);
  if (total <= width) return text;
  let room = width - widthOf('…');
  let [head, tail] = [0, characters.length];
  // Two characters of the beginning for each one of the end.
  for (let turn = 0; head < tail; turn++) {
    const next = turn % 3 === 2 ? characters[tail - 1]! : characters[head]!;
    room -= widthOf(next);
    if (room < 0) break;
    if (turn % 3 === 2) tail--;
    else head++;
  }
  return `${characters.slice(0, head).join('')}…${characters.slice(tail).join('')}`;
}

const LONGEST_AMOUNT = 16;
const rough = new Intl.NumberFormat('en', { notation: 'scientific', maximumSignificantDigits: 4 });

/** An amount for a small place. Digits of a long number are never left out in the middle: it is rounded, and says so. */
export function shortAmount(amount: string): string {
  if (amount.length <= LONGEST_AMOUNT) return amount;
  const value = Number(amount.replaceAll(',', '').replace('−', '-'));
  if (Math.abs(value) >= 1e9 || Math.abs(value) < 1) return `≈ ${rough.format(value)}`;
  return `≈ ${value.toLocaleString('en', { maximumFractionDigits: 2 })}`;
}
