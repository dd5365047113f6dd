/** What a page says is printed, as a pattern: dots stand for anything. */
export const patternOf = (printed: string) =>
  new RegExp(
    `^${printed
      .split('…')
      .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^]*')}$`,
  );
