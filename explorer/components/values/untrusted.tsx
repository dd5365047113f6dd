import { imitatesLatin, visibleParts } from '../../format/visible-text.ts';

/** Texts beyond this length are cut; the whole text is one click away where it matters. */
const MAX_SHOWN = 20_000;
/** Names and symbols are short. Longer texts may well be in several languages. */
const MAX_NAME = 80;

/**
 * Text that anybody may have put on the chain. Its direction cannot leave its element, characters that do not show are
 * named, and letters that imitate Latin ones are mentioned.
 */
export function Untrusted({ text, max = MAX_SHOWN }: { text: string; max?: number }) {
  const shown = text.length > max ? text.slice(0, max) : text;
  return (
    <bdi class="untrusted">
      {visibleParts(shown).map(part =>
        part.hidden ? (
          <span class="hidden-character" title="A character that does not show">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
      {text.length <= MAX_NAME && imitatesLatin(text) && (
        <span class="hidden-character" title="Some of its letters look like Latin ones and are others">
          not all Latin letters
        </span>
      )}
      {shown.length < text.length && <i>… {text.length - shown.length} more characters</i>}
    </bdi>
  );
}
