import { chooseTheme, type Theme, theme } from '../../theme.ts';

const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const signs: Readonly<Record<Theme, string>> = { system: '◐', light: '☀', dark: '☾' };

/** Goes through light, dark and the setting of the device. */
export function ThemeToggle() {
  const current = theme.value;
  const label = `Colors: ${current}. Change to ${next[current]}`;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      onClick={() => chooseTheme(next[current])}
    >
      <span aria-hidden="true">{signs[current]}</span>
    </button>
  );
}
