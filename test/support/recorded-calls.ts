type Callable = (...args: unknown[]) => unknown;

const isAsync = (value: unknown): value is Callable =>
  typeof value === 'function' && value.constructor.name === 'AsyncFunction';

/** The names of a package, or of the methods of a class, that are asynchronous: those that reach the network. */
export function listAsync(target: object): string[] {
  const found = Object.entries(Object.getOwnPropertyDescriptors(target)).filter(([, { value }]) => isAsync(value));
  return found.map(([name]) => name).sort();
}

/** Records which asynchronous functions of packages and objects a test has called, to find those without a test. */
export class RecordedCalls {
  readonly #called = new Set<string>();

  /** The same package or object; its calls are recorded, but not those that it makes itself. */
  watch<T extends object>(target: T): T {
    const record = (name: string | symbol, value: unknown) => {
      if (!isAsync(value)) return value;
      return (...args: unknown[]) => {
        this.#called.add(String(name));
        return value.apply(target, args);
      };
    };
    return new Proxy(target, { get: (_, name) => record(name, Reflect.get(target, name, target)) });
  }

  /** The asynchronous names of a target that were not called. */
  missing(target: object): string[] {
    return listAsync(target).filter(name => !this.#called.has(name));
  }
}
