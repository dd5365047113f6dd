import { marked } from 'marked';

/** Makes HTML of Markdown files of the project while the pages are built; a link to another file leads to where that is served. */
export function markdown() {
  return {
    name: 'markdown',
    transform(text, id) {
      if (!id.endsWith('.md')) return null;
      const html = marked.parse(text, {
        walkTokens(token) {
          // The page has a heading of its own above.
          if (token.type === 'heading') token.depth += 1;
          if (token.type === 'link') token.href = servedAt(token.href);
        },
      });
      return { code: `export default ${JSON.stringify(html)};`, map: null };
    },
  };
}

/** `limits.md` stands on the page itself, `../realtime.md#streams` is served as Markdown. */
function servedAt(href) {
  if (/^(\w+:|#|\/)/.test(href)) return href;
  const [, name] = /^(\w+)\.md$/.exec(href) ?? [];
  return name === undefined ? new URL(href, 'http://x/docs/guides/').pathname : `#guide-${name}`;
}
