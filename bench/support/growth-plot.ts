import { cpus, loadavg } from 'node:os';

/** The measurements on a chain of one length. */
export type GrowthPoint = { blocks: number; figures: Record<string, number> };

type Line = { key: string; label: string; color: string };
export type Panel = { title: string; lines: Line[]; bars: { value: number; label: string }[] };

/** What `ingest` draws. */
export const ingestPanels: Panel[] = [
  {
    title: 'blocks a second',
    lines: [
      { key: 'bulk_blocks_per_s', label: 'bulk', color: '#1b7f5c' },
      { key: 'live_blocks_per_s', label: 'live', color: '#2456a6' },
    ],
    bars: [
      { value: 200, label: 'asked of bulk' },
      { value: 80, label: 'asked of live' },
    ],
  },
  {
    title: 'stored bytes for each byte of events',
    lines: [
      { key: 'db_bytes_per_event_byte', label: 'log and tables', color: '#8a3fa0' },
      { key: 'tables_bytes_per_event_byte', label: 'tables with indexes', color: '#b5531c' },
    ],
    bars: [
      { value: 1.2, label: 'asked of both' },
      { value: 0.9, label: 'asked of tables' },
    ],
  },
];

const size = { width: 420, height: 260, left: 50, top: 40, right: 20, bottom: 40 };

/** An SVG of the panels side by side, over the length of the chain. */
export function renderGrowth(points: readonly GrowthPoint[], caption: string, panels: readonly Panel[]): string {
  const sorted = [...points].sort((a, b) => a.blocks - b.blocks);
  const width = size.width * panels.length;
  const height = size.height + 24;
  const body = panels.map((panel, i) => `<g transform="translate(${i * size.width} 0)">${draw(panel, sorted)}</g>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" fill="#222">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...body,
    `<text x="${size.left}" y="${size.height + 14}" fill="#666">${escapeXml(caption)}</text>`,
    '</svg>',
    '',
  ].join('\n');
}

function draw({ title, lines, bars }: Panel, points: readonly GrowthPoint[]): string {
  const values = lines.flatMap(({ key }) => points.flatMap(point => point.figures[key] ?? []));
  const top = Math.max(...values, ...bars.map(bar => bar.value)) * 1.15;
  const logs = points.map(point => Math.log(point.blocks));
  const [least, most] = [Math.min(...logs), Math.max(...logs)];
  const x = (blocks: number) => {
    const share = most === least ? 0.5 : (Math.log(blocks) - least) / (most - least);
    return round(size.left + 20 + share * (size.width - size.left - size.right - 40));
  };
  const y = (value: number) =>
    round(size.height - size.bottom - (value / top) * (size.height - size.top - size.bottom));
  const right = size.width - size.right;
  const floor = size.height - size.bottom;
  return [
    `<text x="${size.left}" y="20" font-size="13">${title}</text>`,
    `<path d="M${size.left} ${size.top}V${floor}H${right}" fill="none" stroke="#999"/>`,
    ...points.map(({ blocks }) => text(x(blocks), floor + 16, blocks.toLocaleString('en'), '#666', 'middle')),
    text(right, floor + 30, 'blocks', '#666', 'end'),
    ...bars.flatMap(({ value, label }) => [
      `<path d="M${size.left} ${y(value)}H${right}" stroke="#bbb" stroke-dasharray="4 3"/>`,
      text(right, y(value) - 3, `${label}: ${value}`, '#888', 'end'),
    ]),
    ...lines.flatMap(line => drawLine(line, points, x, y)),
  ].join('\n');
}

type Scale = (value: number) => number;

function drawLine({ key, label, color }: Line, points: readonly GrowthPoint[], x: Scale, y: Scale): string[] {
  const known = points.flatMap(({ blocks, figures }) => {
    const value = figures[key];
    return value === undefined ? [] : [{ blocks, value }];
  });
  if (known.length === 0) return [];
  const path = known.map(({ blocks, value }, i) => `${i === 0 ? 'M' : 'L'}${x(blocks)} ${y(value)}`).join('');
  return [
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...known.flatMap(({ blocks, value }, i) => [
      `<circle cx="${x(blocks)}" cy="${y(value)}" r="3" fill="${color}"/>`,
      text(x(blocks), y(value) - 7, i === 0 ? `${label} ${value}` : String(value), color, 'middle'),
    ]),
  ];
}

const text = (x: number, y: number, content: string, color: string, anchor: string) =>
  `<text x="${x}" y="${y}" fill="${color}" text-anchor="${anchor}">${escapeXml(content)}</text>`;

const escapeXml = (content: string) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const round = (value: number) => Math.round(value * 10) / 10;

/** Figures mean little without the machine; `about` says what was measured. */
export function machineCaption(about: string): string {
  const processors = cpus();
  const load = loadavg()[0]!.toFixed(1);
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, ${processors.length} × ${processors[0]?.model.trim()}, load average ${load}, Node.js ${process.version}; ${about}`;
}
