import { useApi } from '../../api/loaded.ts';
import { formatBytes } from '../../format/number.ts';
import { rawFields } from '../../format/raw-fields.ts';
import { LoadedView } from '../loaded-view.tsx';
import { CopyButton } from '../values/copy-button.tsx';

const MAX_SHOWN = 4000;

/** The bytes of a transaction with its fields marked. */
export function RawBytes({ id }: { id: string }) {
  const raw = useApi('/extended/v1/tx/{tx_id}/raw', { tx_id: id });
  return (
    <LoadedView of={raw}>
      {({ raw_tx }) => (
        <>
          <p class="soft">
            {formatBytes((raw_tx.length - 2) / 2)} <CopyButton text={raw_tx} label="Copy the bytes" />
          </p>
          <ol class="raw">
            {rawFields(raw_tx).map(({ name, hex }, index) => (
              <li key={index}>
                <span class="soft">{name}</span>
                <code>{hex.length > MAX_SHOWN ? `${hex.slice(0, MAX_SHOWN)}…` : hex}</code>
              </li>
            ))}
          </ol>
        </>
      )}
    </LoadedView>
  );
}
