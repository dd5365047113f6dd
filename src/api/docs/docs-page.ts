import { schemaPath } from './json-schemas.ts';
import type { OpenApi, Operation } from './openapi.ts';

/** The document as one page for people: no script, nothing loaded from elsewhere. */
export function renderDocs(document: OpenApi): string {
  const byTag = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? 'Other';
      byTag.set(tag, [...(byTag.get(tag) ?? []), renderOperation(method, path, operation)]);
    }
  }
  const tags = [...byTag.keys()].sort();
  const schemas = Object.entries(document.components?.schemas ?? {});
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} ${escapeHtml(document.info.version)}: API</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(document.info.title)} <small>${escapeHtml(document.info.version)}</small></h1>
<p>${escapeHtml(document.info.description)} Also available as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<nav>${tags.map(tag => `<a href="#${anchor(tag)}">${escapeHtml(tag)}</a>`).join(' ')} <a href="#schemas">Schemas</a></nav></header>
<main>
${tags.map(tag => `<section id="${anchor(tag)}"><h2>${escapeHtml(tag)}</h2>\n${byTag.get(tag)!.join('\n')}</section>`).join('\n')}
<section id="schemas"><h2>Schemas</h2>
${schemas.map(([name, schema]) => `<details id="schema-${anchor(name)}"><summary>${escapeHtml(name)}</summary><p><a href="${escapeHtml(schemaPath(name))}">JSON Schema</a></p>${json(schema)}</details>`).join('\n')}
</section>
</main>
</body>
</html>
`;
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters ?? [];
  const runnable = method === 'get' && !parameters.some(parameter => parameter.required);
  const rows = parameters.map(
    parameter =>
      `<tr><td><code>${escapeHtml(parameter.name)}</code>${parameter.required ? ' *' : ''}</td><td>${escapeHtml(parameter.in)}</td>` +
      `<td>${describeSchema(parameter.schema)}</td><td>${escapeHtml(parameter.description ?? '')}</td></tr>`,
  );
  const answers = Object.entries(operation.responses).map(([status, response]) => {
    const schema = Object.values(response.content ?? {})[0]?.schema;
    return `<h4>${escapeHtml(status)} <small>${escapeHtml(response.description ?? '')}</small></h4>${schema ? json(schema) : ''}`;
  });
  return `<details id="${escapeHtml(operation.operationId ?? '')}"><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> ${
    operation.deprecated ? '<i>deprecated</i> ' : ''
  }<span>${escapeHtml(operation.summary ?? '')}</span></summary>
${operation.description ? `<p>${escapeHtml(operation.description)}</p>` : ''}
${runnable ? `<p><a href="${escapeHtml(path)}">Try it: ${escapeHtml(path)}</a></p>` : ''}
${rows.length > 0 ? `<table><tr><th>Parameter</th><th>In</th><th>Value</th><th>Meaning</th></tr>${rows.join('')}</table>` : ''}
${answers.join('\n')}
</details>`;
}

/** A parameter's values in a few words. */
function describeSchema(schema: Record<string, unknown>): string {
  const { type, minimum, maximum, pattern, anyOf, items } = schema;
  const parts = [
    type && String(type),
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && `to ${maximum}`,
    schema.const !== undefined && `<code>${escapeHtml(String(schema.const))}</code>`,
    schema.default !== undefined && `default <code>${escapeHtml(String(schema.default))}</code>`,
    pattern && `<code>${escapeHtml(String(pattern))}</code>`,
    Array.isArray(anyOf) && anyOf.map(describeSchema).join(' or '),
    items && `of ${describeSchema(items as Record<string, unknown>)}`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** A schema as text, its references as links. */
function json(schema: unknown): string {
  const text = escapeHtml(JSON.stringify(schema, null, 2));
  const linked = text.replaceAll(
    /&quot;#\/components\/schemas\/(\w+)&quot;/g,
    (_, name: string) => `<a href="#schema-${anchor(name)}">${name}</a>`,
  );
  return `<pre>${linked}</pre>`;
}

const anchor = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--mild:#8882}
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
h1 small,h4 small{font-weight:normal;opacity:.7}
nav a{margin-right:.8rem}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0;padding:.3rem .7rem}
summary{cursor:pointer;overflow-wrap:anywhere}
summary span{opacity:.75}
b.get{color:#2a7de1}b.post{color:#1f9d55}
i{color:#c60;font-size:.85em}
code,pre{font:13px/1.45 ui-monospace,monospace}
pre{background:var(--mild);padding:.6rem;border-radius:4px;overflow:auto;max-height:24rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;border-bottom:1px solid var(--line);padding:.25rem .5rem;vertical-align:top;overflow-wrap:anywhere}
`;
