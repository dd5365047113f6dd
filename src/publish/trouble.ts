/** Why nothing can be published, in words that carry no address and no credentials. */
export type TroubleKind =
  | 'unreachable'
  | 'not_allowed'
  | 'full'
  | 'too_large'
  | 'other_writer'
  | 'other_chain'
  | 'behind'
  | 'refused'
  | 'database';

/** What keeps messages from the broker; trying again later may help. */
export class Trouble extends Error {
  override name = 'Trouble';
  readonly kind: TroubleKind;

  constructor(kind: TroubleKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The broker says that it has this message, though it is not the last one: it was removed from the stream since. */
export class Forgotten extends Error {
  override name = 'Forgotten';
}
