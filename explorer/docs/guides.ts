import caching from '../../docs/guides/caching.md';
import errors from '../../docs/guides/errors.md';
import forks from '../../docs/guides/forks.md';
import limits from '../../docs/guides/limits.md';
import pages from '../../docs/guides/pages.md';

/** The guides as HTML, which the build has made of the files of the project. */
const guides: Readonly<Record<string, string>> = { pages, errors, limits, forks, caching };

/** Shows the guides, each under an address of its own, and returns their titles by it. */
export function showGuides(section: HTMLElement): [id: string, title: string][] {
  return Object.entries(guides).map(([name, html]) => {
    const article = document.createElement('article');
    article.id = `guide-${name}`;
    article.innerHTML = html;
    for (const block of article.querySelectorAll('pre, table')) (block as HTMLElement).tabIndex = 0;
    section.append(article);
    return [article.id, article.querySelector('h2')?.textContent ?? name];
  });
}
