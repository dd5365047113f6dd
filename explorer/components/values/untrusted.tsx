import { visibleParts } from '../../format/visible-text.ts';

/** Texts beyond this length are cut; the whole text is one click away where it matters. */
const MAX_SHOWN = 20_000;

/**
 * Text that anybody may have put on the chain. Its direction cannot leave its element, and characters that do not show
 * are named.
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
      {shown.length < text.length && <i>… {text.length - shown.length} more characters</i>}
    </bdi>
  );
}
