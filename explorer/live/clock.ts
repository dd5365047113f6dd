import { signal } from '@preact/signals';

const seconds = () => Math.floor(Date.now() / 1000);

/** The time in Unix seconds, for texts such as "5 seconds ago". */
export const now = signal(seconds());

setInterval(() => {
  if (!document.hidden) now.value = seconds();
}, 1000);
