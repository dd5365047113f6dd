/** A part of a whole as a bar, with its meaning in words. */
export function Bar({ label, part, whole, text }: { label: string; part: number; whole: number; text: string }) {
  const percent = whole > 0 ? Math.min(100, (part / whole) * 100) : 0;
  return (
    <div class="bar-row">
      <span>{label}</span>
      <div class="meter" role="img" aria-label={`${label}: ${text}`}>
        {part > 0 && <div style={{ width: `${percent}%` }} />}
      </div>
      <span class="number soft">{text}</span>
    </div>
  );
}
