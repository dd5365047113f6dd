import { useEffect, useRef, useState } from 'preact/hooks';
import { findSuggestions, type Suggestion } from '../../api/suggestions.ts';
import { pageOf } from '../../format/identify.ts';
import { navigate } from '../../router.ts';
import { Untrusted } from '../values/untrusted.tsx';

const TYPING_PAUSE_MS = 150;

/** One box for any id, address, name, height, contract or token. `/` moves the focus here. */
export function SearchBox() {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const suggestions = useSuggestions(text);
  const input = useRef<HTMLInputElement>(null);
  useSlashKey(input);

  const go = (url: string) => {
    setOpen(false);
    setText('');
    input.current?.blur();
    navigate(url);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const chosen = suggestions[active];
    const value = text.trim();
    if (chosen) go(chosen.href);
    else if (value !== '') go(pageOf(value) ?? `/search?q=${encodeURIComponent(value)}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      setOpen(false);
      setActive(-1);
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || suggestions.length === 0) return;
    event.preventDefault();
    setOpen(true);
    setActive(nextActive(active, step, suggestions.length));
  };
  const shown = open && suggestions.length > 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to all supported browsers
    <form class="search" role="search" action="/search" onSubmit={submit}>
      <input
        ref={input}
        name="q"
        type="search"
        // biome-ignore lint/a11y/noRedundantRoles: an input without a list of the browser is no combobox
        role="combobox"
        list={undefined}
        autocomplete="off"
        spellcheck={false}
        maxLength={400}
        placeholder="Search transaction, address, block, name…"
        aria-label="Search for a transaction, an address, a block, a name, a contract or a token"
        aria-expanded={shown}
        aria-controls="suggestions"
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `suggestion-${active}` : undefined}
        value={text}
        onInput={event => {
          setText(event.currentTarget.value);
          setOpen(true);
          setActive(-1);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onKeyDown={onKeyDown}
      />
      <kbd>/</kbd>
      <div id="suggestions" role="listbox" aria-label="Suggestions" hidden={!shown} tabIndex={-1}>
        {shown &&
          suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys of the list
            <div
              key={suggestion.href}
              id={`suggestion-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onMouseDown={event => event.preventDefault()}
              onClick={() => go(suggestion.href)}
            >
              <span class="kind">{suggestion.kind}</span> <Untrusted text={suggestion.label} max={100} />
            </div>
          ))}
      </div>
    </form>
  );
}

/** Goes through the list and back to the text itself (-1). */
function nextActive(active: number, step: number, count: number): number {
  const next = active + step;
  if (next >= count) return -1;
  return next < -1 ? count - 1 : next;
}

function useSuggestions(text: string): Suggestion[] {
  const [suggestions, set] = useState<Suggestion[]>([]);
  useEffect(() => {
    const value = text.trim();
    if (value === '') {
      set([]);
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      findSuggestions(value, controller.signal).then(set, () => controller.signal.aborted || set([]));
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return suggestions;
}

function useSlashKey(input: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
        return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [input]);
}
