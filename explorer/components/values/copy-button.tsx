import { useState } from 'preact/hooks';

/** Copies a text; says so for a moment. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await copyText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button
      type="button"
      class="copy"
      onClick={copy}
      aria-label={done ? 'Copied' : label}
      title={done ? 'Copied' : label}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {done ? <path d="M3 8.5l3.2 3.2L13 5" /> : <path d="M5.5 5.5V3h7.5v7.5h-2.500M3 5.500h7.500V13H3z" />}
      </svg>
    </button>
  );
}

/** The clipboard exists only on secure origins and may be forbidden; a selected text field is copied then. */
async function copyText(text: string): Promise<void> {
  const written = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (written) return;
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
}
