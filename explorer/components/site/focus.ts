/**
 * Keeps the focus near its place when its element goes away, as a button does that has shown all, or a row of a list that
 * follows the chain. The browser would begin at the top of the page again.
 */
export function startFocusKeeper(): void {
  let ancestors: Element[] = [];
  document.addEventListener('focusin', ({ target }) => {
    ancestors = [];
    for (let each = target as Element | null; each; each = each.parentElement) ancestors.push(each);
  });
  new MutationObserver(() => {
    if (ancestors.length === 0 || ancestors[0]!.isConnected || document.activeElement !== document.body) return;
    const near = ancestors.find(each => each.isConnected && each.matches('section, main'));
    if (!(near instanceof HTMLElement)) return;
    if (!near.hasAttribute('tabindex')) near.tabIndex = -1;
    near.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}
