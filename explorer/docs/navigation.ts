import type { OpenApiDocument } from './chain-examples.ts';

type Operation = { id: string; tag: string; text: string };

const MAX_FOUND = 30;

/** Links to guides and groups, and a search of operations by words of their path and summary. */
export function showNavigation(place: HTMLElement, spec: OpenApiDocument, guides: readonly [string, string][]): void {
  const operations = operationsOf(spec);
  const groups = new Map<string, number>();
  for (const { tag } of operations) groups.set(tag, (groups.get(tag) ?? 0) + 1);
  const search = document.createElement('input');
  search.type = 'search';
  search.placeholder = `Search ${operations.length} operations…`;
  search.setAttribute('aria-label', 'Search operations');
  search.maxLength = 100;
  const found = document.createElement('ul');
  found.setAttribute('aria-live', 'polite');
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = words.length === 0 ? [] : operations.filter(({ text }) => words.every(word => text.includes(word)));
    found.replaceChildren(
      ...matches
        .slice(0, MAX_FOUND)
        .map(({ id, tag, text }) => item(text.split('\n')[0]!, () => openOperation(tag, id))),
      ...(words.length > 0 && matches.length === 0 ? [item('Nothing was found.')] : []),
    );
  });
  place.replaceChildren(
    search,
    found,
    titled(
      'Guides',
      guides.map(([id, title]) => anchor(`#${id}`, title)),
    ),
    titled(
      'Operations',
      [...groups.keys()].sort().map(tag => item(`${tag} (${groups.get(tag)})`, () => openGroup(tag))),
    ),
    titled('More', [
      anchor('#realtime', 'Realtime'),
      anchor('/docs/agents.md', 'Language models'),
      anchor('/llms.txt', 'llms.txt'),
    ]),
  );
}

/** The text that is searched begins with the line that is shown. */
function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId = '', tags = [], summary = '' }]) => ({
      id: operationId,
      tag: tags[0] ?? '',
      text: `${method} ${path}\n${summary} ${operationId}`.toLowerCase(),
    })),
  );
}

async function openOperation(tag: string, id: string): Promise<void> {
  await openGroup(tag);
  const block = await appearing(`.opblock[id$="-${CSS.escape(id)}"]`);
  if (block && !block.classList.contains('is-open'))
    block.querySelector<HTMLElement>('.opblock-summary-control')?.click();
  block?.scrollIntoView();
}

async function openGroup(tag: string): Promise<void> {
  const heading = await appearing(`.opblock-tag[data-tag="${CSS.escape(tag)}"]`);
  if (heading?.dataset.isOpen === 'false') heading.click();
  heading?.scrollIntoView();
}

/** An element that Swagger UI draws in one of the next frames; undefined if it does not. */
export async function appearing(selector: string): Promise<HTMLElement | undefined> {
  for (let frame = 0; frame < 60; frame++) {
    const element = document.querySelector<HTMLElement>(selector);
    if (element) return element;
    await new Promise(requestAnimationFrame);
  }
  return undefined;
}

function titled(title: string, items: readonly HTMLElement[]): HTMLElement {
  const section = document.createElement('section');
  const heading = document.createElement('h2');
  heading.textContent = title;
  const list = document.createElement('ul');
  list.append(...items);
  section.append(heading, list);
  return section;
}

function anchor(href: string, text: string): HTMLElement {
  const entry = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  link.textContent = text;
  entry.append(link);
  return entry;
}

function item(text: string, open?: () => Promise<void>): HTMLElement {
  const entry = document.createElement('li');
  if (open === undefined) {
    entry.textContent = text;
    return entry;
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', () => void open());
  entry.append(button);
  return entry;
}
