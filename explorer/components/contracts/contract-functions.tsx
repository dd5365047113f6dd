import { type AbiFunction, abiTypeText } from '@cairn-stacks/codec/clarity/abi';
import { useId, useState } from 'preact/hooks';
import { exampleOf } from '../../clarity/argument.ts';
import { callReadOnly } from '../../contract/calls.ts';
import { Section } from '../section.tsx';
import { Untrusted } from '../values/untrusted.tsx';
import { ResultForm } from './result-form.tsx';

const access: Readonly<Record<string, string>> = { read_only: 'read-only', public: 'public', private: 'private' };

/** The functions of a contract. Read-only ones can be called from here. */
export function ContractFunctions({ id, functions }: { id: string; functions: readonly AbiFunction[] }) {
  if (functions.length === 0) return null;
  return (
    <Section title="Functions">
      <p class="soft">
        Read-only functions can be called here, without cost. Public ones change something: they are called by a
        transaction.
      </p>
      {functions.map(each => (
        <details class="function" key={each.name} id={each.name}>
          <summary>
            <span class="badge off">{access[each.access] ?? each.access}</span>{' '}
            <b>
              <Untrusted text={each.name} />
            </b>{' '}
            <span class="soft">
              ({each.args.map(arg => arg.name).join(', ')}) → {abiTypeText(each.outputs.type)}
            </span>
          </summary>
          {each.access === 'read_only' ? <CallForm id={id} of={each} /> : <Signature of={each} />}
        </details>
      ))}
    </Section>
  );
}

function Signature({ of }: { of: AbiFunction }) {
  if (of.args.length === 0) return <p class="soft">It takes no arguments. To call it, send a transaction.</p>;
  return (
    <ul>
      {of.args.map(({ name, type }) => (
        <li key={name}>
          <Untrusted text={name} />: <code>{abiTypeText(type)}</code>
        </li>
      ))}
    </ul>
  );
}

function CallForm({ id, of }: { id: string; of: AbiFunction }) {
  const [texts, setTexts] = useState<readonly string[]>(of.args.map(() => ''));
  const prefix = useId();
  const run = () =>
    callReadOnly(
      id,
      of.name,
      of.args.map(({ type }, index) => ({ type, text: texts[index]! })),
    );
  return (
    <ResultForm label="Call" run={run}>
      {of.args.map(({ name, type }, index) => (
        <p class="field" key={name}>
          <label for={`${prefix}${index}`}>
            <Untrusted text={name} /> <span class="soft">{abiTypeText(type)}</span>
          </label>
          <input
            id={`${prefix}${index}`}
            placeholder={exampleOf(type)}
            value={texts[index]}
            spellcheck={false}
            onInput={event => setTexts(texts.with(index, event.currentTarget.value))}
          />
        </p>
      ))}
    </ResultForm>
  );
}
