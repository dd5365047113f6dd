import { useId, useState } from 'preact/hooks';
import type { Parameters } from '../api/client.ts';

/** A parameter of a list that people may fill in; one of `options`, a number, or any text. */
export type FilterField = { name: string; label: string; options?: readonly string[]; isNumber?: boolean };

export const rangeFields: readonly FilterField[] = [
  { name: 'from_height', label: 'From block', isNumber: true },
  { name: 'to_height', label: 'To block', isNumber: true },
];

export const transactionFields: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: ['success', 'failed'] },
  { name: 'sender', label: 'Sender' },
  { name: 'function', label: 'Function' },
  ...rangeFields,
];

/** Filters of a list, which count when the form is sent: each change of a list is a request. */
export function ListFilters({
  of,
  about,
  onChange,
}: {
  of: readonly FilterField[];
  about: string;
  onChange: (parameters: Parameters) => void;
}) {
  const id = useId();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const filled = Object.entries(values).filter(([, value]) => value.trim() !== '');
  const set = (name: string, value: string) => setValues({ ...values, [name]: value });
  const clear = () => {
    setValues({});
    onChange({});
  };
  return (
    <form
      class="filters"
      aria-label={about}
      onSubmit={event => {
        event.preventDefault();
        onChange(Object.fromEntries(filled.map(([name, value]) => [name, value.trim()])));
      }}
    >
      {of.map(({ name, label, options, isNumber }) => (
        <label key={name} for={`${id}${name}`}>
          {label}{' '}
          {options ? (
            <select id={`${id}${name}`} value={values[name] ?? ''} onChange={e => set(name, e.currentTarget.value)}>
              <option value="">any</option>
              {options.map(option => (
                <option key={option} value={option}>
                  {option}
                </option>
              ))}
            </select>
          ) : (
            <input
              id={`${id}${name}`}
              inputMode={isNumber ? 'numeric' : 'text'}
              pattern={isNumber ? '[0-9]*' : undefined}
              spellcheck={false}
              value={values[name] ?? ''}
              onInput={e => set(name, e.currentTarget.value)}
            />
          )}
        </label>
      ))}
      <button type="submit">Filter</button>
      {filled.length > 0 && (
        <button type="button" onClick={clear}>
          Clear
        </button>
      )}
    </form>
  );
}
