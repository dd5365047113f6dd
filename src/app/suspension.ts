type Follower = (reason: string | undefined) => void;

/** Why no events are accepted now, and the parts that must know. */
export class Suspension {
  readonly #followers: Follower[] = [];
  #reason: string | undefined;

  /** Undefined while events are accepted. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Changes the reason; undefined lets events in again. */
  set(reason: string | undefined): void {
    this.#reason = reason;
    for (const follow of this.#followers) follow(reason);
  }

  /** Calls back with the reason at once and after each change. */
  follow(follower: Follower): void {
    this.#followers.push(follower);
    follower(this.#reason);
  }
}
