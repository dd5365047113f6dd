const events: Readonly<Record<string, string>> = {
  'stack-stx': 'Stacked',
  'stack-extend': 'Stacked for longer',
  'stack-increase': 'Stacked more',
  'delegate-stx': 'Allowed a pool to stack',
  'revoke-delegate-stx': 'Withdrew from the pool',
  'delegate-stack-stx': 'Stacked by its pool',
  'delegate-stack-extend': 'Stacked for longer by its pool',
  'delegate-stack-increase': 'Stacked more by its pool',
  'stack-aggregation-commit': 'Pool committed',
  'stack-aggregation-commit-indexed': 'Pool committed',
  'stack-aggregation-increase': 'Pool committed more',
  'handle-unlock': 'Unlocked early',
};

/** What an event of stacking did. */
export const stackingWords = (name: string): string => events[name] ?? name.replaceAll('-', ' ');
