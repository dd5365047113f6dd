import { Type } from 'typebox';
import { BadArguments } from '../api-reader.ts';
import { input } from '../params.ts';
import { untrustedTexts } from '../text.ts';
import { tool } from '../tool.ts';

type OpenApi = {
  paths: Record<
    string,
    Record<string, { summary?: string; deprecated?: boolean; parameters?: { name: string; in: string }[] }>
  >;
};

const MAX_LISTED = 60;

export const listEndpoints = tool({
  name: 'list_endpoints',
  title: 'What else the API has',
  description: 'Finds further endpoints of the API by a word of their path or summary. api_get requests them.',
  input: input({
    word: Type.String({ minLength: 2, maxLength: 60, description: 'A word, such as rewards, holders or proof.' }),
  }),
  async run({ word }, api) {
    const { paths } = await api.get<OpenApi>('/openapi.json');
    const wanted = word.toLowerCase();
    const found = Object.entries(paths).flatMap(([path, { get }]) => {
      if (!get || get.deprecated || !`${path} ${get.summary}`.toLowerCase().includes(wanted)) return [];
      const query = (get.parameters ?? []).filter(each => each.in === 'query').map(({ name }) => name);
      return [`${path}${query.length > 0 ? ` ?${query.join(',')}` : ''}: ${get.summary}`];
    });
    return {
      data: {
        endpoints: found.slice(0, MAX_LISTED),
        ...(found.length > MAX_LISTED && { endpoints_truncated_from: found.length }),
      },
      next_steps: found.length > 0 ? ['api_get with a path of the list'] : ['try a more general word'],
    };
  },
});

export const apiGet = tool({
  name: 'api_get',
  title: 'Request a path of the API',
  description:
    'Requests any GET path of the API and returns its body, texts marked. Prefer the other tools: they are shorter. Use a small limit.',
  input: input({
    path: Type.String({
      pattern: '^/(extended|v2|v3|v1|metadata|signer-metrics)(/[\\x21-\\x22\\x24-\\x3e\\x40-\\x7e]*)?$',
      maxLength: 600,
      description: 'A path without query, beginning with /extended, /v1, /v2, /v3, /metadata or /signer-metrics.',
    }),
    query: Type.Optional(
      Type.Record(Type.String({ maxLength: 60 }), Type.String({ maxLength: 400 }), {
        maxProperties: 20,
        description: 'Parameters of the query.',
      }),
    ),
  }),
  async run({ path, query = {} }, api) {
    if (/\/\.\.?(\/|$)|%|\\/.test(path))
      throw new BadArguments('The path must not have dots as a part, % or \\: write it as it is listed');
    if (path.startsWith('/extended/v1/stream') && !path.startsWith('/extended/v1/stream/'))
      throw new BadArguments('A stream has no end: use /extended/v1/stream/pages');
    return { data: { response: untrustedTexts(await api.get(path, query), 500) } };
  },
});
