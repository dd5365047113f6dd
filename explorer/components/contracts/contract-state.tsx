import { abiTypeText } from '@cairn-stacks/codec/clarity/abi';
import { useId, useState } from 'preact/hooks';
import { exampleOf } from '../../clarity/argument.ts';
import type { AbiMap, AbiVariable } from '../../contract/abi.ts';
import { readMapEntry, readVariable } from '../../contract/calls.ts';
import { Section } from '../section.tsx';
import { Untrusted } from '../values/untrusted.tsx';
import { ResultForm } from './result-form.tsx';

/** Variables and maps, read from a node on demand. */
export function ContractState({
  id,
  variables,
  maps,
}: {
  id: string;
  variables: readonly AbiVariable[];
  maps: readonly AbiMap[];
}) {
  const changeable = variables.filter(variable => variable.access === 'variable');
  if (changeable.length === 0 && maps.length === 0) return null;
  return (
    <Section title="Variables and maps">
      {changeable.map(({ name, type }) => (
        <details class="function" key={name}>
          <summary>
            <b>
              <Untrusted text={name} />
            </b>{' '}
            <span class="soft">{abiTypeText(type)}</span>
          </summary>
          <ResultForm label="Read" run={() => readVariable(id, name)} />
        </details>
      ))}
      {maps.map(map => (
        <details class="function" key={map.name}>
          <summary>
            <b>
              <Untrusted text={map.name} />
            </b>{' '}
            <span class="soft">
              {abiTypeText(map.key)} → {abiTypeText(map.value)}
            </span>
          </summary>
          <MapForm id={id} map={map} />
        </details>
      ))}
    </Section>
  );
}

function MapForm({ id, map }: { id: string; map: AbiMap }) {
  const [key, setKey] = useState('');
  const field = useId();
  return (
    <ResultForm label="Read" run={() => readMapEntry(id, map.name, map.key, key)}>
      <p class="field">
        <label for={field}>
          Key <span class="soft">{abiTypeText(map.key)}</span>
        </label>
        <input
          id={field}
          placeholder={exampleOf(map.key)}
          value={key}
          spellcheck={false}
          onInput={event => setKey(event.currentTarget.value)}
        />
      </p>
    </ResultForm>
  );
}
