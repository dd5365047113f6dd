import type { ComponentChildren } from 'preact';

/** While a page or a part of it is loaded. */
export const Pending = ({ label = 'Loading' }: { label?: string }) => (
  <div class="pending" role="status" aria-label={label}>
    <span class="pulse" />
    <span class="pulse" />
    <span class="pulse" />
  </div>
);

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>;

export function Failure({ message, retry }: { message: string; retry: () => void }) {
  return (
    <div class="notice bad" role="alert">
      <h2>This could not be loaded</h2>
      <p>{message}</p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}

/** A box that says something about the whole page, such as that a block is no longer part of the chain. */
export const Notice = ({ kind, children }: { kind: 'info' | 'warn' | 'bad'; children: ComponentChildren }) => (
  <div class={`notice ${kind}`} role="status">
    {children}
  </div>
);
