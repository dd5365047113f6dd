import { path } from '../api-reader.ts';
import { AssetId, Cursor, input, Limit } from '../params.ts';
import { untrusted } from '../text.ts';
import { tool } from '../tool.ts';
import { tokenAmount } from '../units.ts';

type Facts = { name?: string; symbol?: string; decimals?: number };
type Supply = { total: string; metadata?: Facts };
type Metadata = Facts & { description?: string; token_uri?: string };
type Holders = {
  total: number;
  cursor: { next: string | null };
  results: { principal: string; balance: string }[];
  metadata?: Facts;
};

const contractOf = (asset: string) => asset.split('::')[0]!;

export const token = tool({
  name: 'token',
  title: 'A fungible token',
  description:
    'Name, symbol, decimals and supply of a fungible token. Anybody can give a token any name, also that of another one: only the identifier tells which token it is.',
  input: input({ asset: AssetId }),
  async run({ asset }, api) {
    const supply = await api.get<Supply>(path`/extended/v3/tokens/ft/${asset}/supply`, { metadata: true });
    const said = await api.find<Metadata>(path`/metadata/v1/ft/${contractOf(asset)}`);
    const facts = { ...said, ...supply.metadata };
    return {
      data: {
        asset,
        supply: tokenAmount(supply.total, asset, facts),
        decimals: facts.decimals ?? null,
        ...(facts.name && { name: untrusted(facts.name, 100) }),
        ...(facts.symbol && { symbol: untrusted(facts.symbol, 40) }),
        ...(said?.description && { description: untrusted(said.description, 500) }),
      },
      next_steps: [`holders {"asset":"${asset}"} lists who has most of it`],
    };
  },
});

export const holders = tool({
  name: 'holders',
  title: 'Who holds a token',
  description:
    'The holders of a fungible token, the largest first. Also for STX: asset "stx" is not an identifier; use api_get /extended/v3/tokens/stx/holders.',
  input: input({ asset: AssetId, limit: Limit, cursor: Cursor }),
  async run({ asset, limit = 10, cursor }, api) {
    const page = await api.get<Holders>(path`/extended/v3/tokens/ft/${asset}/holders`, {
      limit,
      cursor,
      metadata: true,
    });
    return {
      data: {
        asset,
        total: page.total,
        holders: page.results.map(({ principal, balance }) => ({
          principal,
          amount: tokenAmount(balance, asset, page.metadata),
        })),
      },
      next_cursor: page.cursor.next ?? undefined,
    };
  },
});
