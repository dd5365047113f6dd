import { type Static, Type } from 'typebox';

const stx = (description: string) => Type.String({ description: `${description}, in STX with six decimals.` });

export const Supply = Type.Object(
  {
    unlocked_percent: Type.String({ description: 'Always `100.00`: only liquid STX exist.' }),
    total_stx: stx('Total supply'),
    total_stx_year_2050: stx('Projected supply in 2050'),
    unlocked_stx: stx('Liquid supply'),
    block_height: Type.Integer({ description: 'Height of the block that the supply is of.' }),
  },
  { title: 'StxSupply' },
);
export type Supply = Static<typeof Supply>;

/** The figures of the supply under the names of an older API. */
export const LegacySupply = Type.Object(
  {
    unlockedPercent: Type.String({ description: 'Always `100.00`.' }),
    totalStacks: Type.String({ description: 'Total supply in STX with six decimals.' }),
    totalStacksFormatted: Type.String({ description: 'The same with thousands separators.' }),
    totalStacksYear2050: Type.String({ description: 'Projected supply in 2050, in STX with six decimals.' }),
    totalStacksYear2050Formatted: Type.String({ description: 'The same with thousands separators.' }),
    unlockedSupply: Type.String({ description: 'Liquid supply in STX with six decimals.' }),
    unlockedSupplyFormatted: Type.String({ description: 'The same with thousands separators.' }),
    blockHeight: Type.String({ description: 'Height of the block that the supply is of.' }),
  },
  { title: 'LegacyStxSupply' },
);
export type LegacySupply = Static<typeof LegacySupply>;

export const TotalSupply = Type.Object(
  {
    total: Type.String({ description: 'Supply in micro-STX.' }),
    projected_total_2050: Type.String({ description: 'Projected supply in 2050, in micro-STX.' }),
  },
  { title: 'StxTotalSupply' },
);

/** What the emission schedule leads to, as the ecosystem states it. */
const year2050 = '2318000000.000000';
const allUnlocked = '100.00';

export function renderSupply(microStx: string, height: number): Supply {
  const total = renderStx(microStx);
  return {
    unlocked_percent: allUnlocked,
    total_stx: total,
    total_stx_year_2050: year2050,
    unlocked_stx: total,
    block_height: height,
  };
}

export const renderTotalSupply = (microStx: string): Static<typeof TotalSupply> => ({
  total: microStx,
  projected_total_2050: year2050.replace('.', ''),
});

export function renderLegacySupply(microStx: string, height: number): LegacySupply {
  const total = renderStx(microStx);
  return {
    unlockedPercent: allUnlocked,
    totalStacks: total,
    totalStacksFormatted: withThousands(total),
    totalStacksYear2050: year2050,
    totalStacksYear2050Formatted: withThousands(year2050),
    unlockedSupply: total,
    unlockedSupplyFormatted: withThousands(total),
    blockHeight: String(height),
  };
}

/** `1500000` micro-STX are `1.500000`. */
export function renderStx(microStx: string): string {
  const negative = microStx.startsWith('-');
  const digits = microStx.slice(negative ? 1 : 0).padStart(7, '0');
  return `${negative ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

const withThousands = (stx: string) => stx.replace(/\d(?=(\d{3})+\.)/g, '$&,');
