import { signal } from '@preact/signals';
import { request } from './client.ts';

/** Whether this server fetches pictures that are on others; undefined until it has said so. */
const fetched = signal<boolean | undefined>(undefined);
let asked = false;

/** True where a picture of another server can be had from this one. */
export function hasFetchedPictures(): boolean {
  if (!asked) {
    asked = true;
    request('/pictures').then(
      answer => {
        fetched.value = (answer as { fetched: boolean }).fetched;
      },
      () => {
        asked = false;
      },
    );
  }
  return fetched.value === true;
}
