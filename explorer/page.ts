import type { ComponentType } from 'preact';

/** What a page gets: the part of its path that stands for `*` in its route. */
export type PageProps = { parameter: string };

/** A file of `pages/`. */
export type PageModule = { Page: ComponentType<PageProps> };
