declare module '*.md' {
  /** The text as HTML; `explorer/docs/markdown-plugin.mjs` makes it. */
  const html: string;
  export default html;
}
