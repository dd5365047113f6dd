/** The names that the blocks of a batch use, before they have keys. */
export type UsedNames = { principals: Set<string>; assets: Set<string>; functions: Set<string> };

export const noNames = (): UsedNames => ({ principals: new Set(), assets: new Set(), functions: new Set() });
