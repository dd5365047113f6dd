import { PublicError } from '../../errors.ts';

/** Errors of the naming system have the one field that its clients read. */
export const nameError = (status: 400 | 404, error: string) => new PublicError(status, error, { error });

/** Only the first page may be empty. */
export function checkNamePage(names: string[], page: number): string[] {
  if (names.length === 0 && page > 0) throw nameError(400, 'Invalid page');
  return names;
}
