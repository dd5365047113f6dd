import type { Static, TObject } from 'typebox';
import type { ApiReader } from './api-reader.ts';

/** What a tool found. Keys are few and amounts in plain units, because a model pays for every character. */
export type Found = {
  data: object;
  /** What the next page of the list is requested with. */
  next_cursor?: string | undefined;
  /** What one could ask next, as calls of tools. */
  next_steps?: string[] | undefined;
};

/** A question that a model can ask. All of them only read. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  input: TObject;
  run(input: never, api: ApiReader): Promise<Found>;
};

/** A tool with the types of its input. */
export function tool<T extends TObject>(definition: {
  name: string;
  title: string;
  description: string;
  input: T;
  run(input: Static<T>, api: ApiReader): Promise<Found>;
}): Tool {
  return definition;
}
