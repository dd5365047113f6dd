import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
const key = 'cairn-theme';

const isTheme = (value: string | null): value is Theme => value === 'light' || value === 'dark' || value === 'system';

/** The choice of the reader; `system` follows the setting of the device. */
export const theme = signal<Theme>('system');

/** Storage may be forbidden by the browser; then the choice lasts until the page is closed. */
function stored(): Theme {
  try {
    const value = localStorage.getItem(key);
    return isTheme(value) ? value : 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(choice = stored()): void {
  theme.value = choice;
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

export function chooseTheme(choice: Theme): void {
  applyTheme(choice);
  try {
    localStorage.setItem(key, choice);
  } catch {
    return; // see `stored`
  }
}
