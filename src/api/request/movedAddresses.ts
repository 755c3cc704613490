// Where a service has moved for good what we read, so that the next read goes there at once.

export interface MovedAddresses {
  /** Where to read what is asked for at this address. */
  targetOf(url: string): string;
  record(url: string, target: string): void;
  /** The answer there was none: the next read starts at the address itself. */
  forget(url: string): void;
}

/** The oldest are forgotten first. */
const maximum = 100;

export function createMovedAddresses(): MovedAddresses {
  const targets = new Map<string, string>();
  return {
    targetOf: (url) => targets.get(url) ?? url,
    record(url, target) {
      targets.delete(url);
      targets.set(url, target);
      const [oldest] = targets.keys();
      if (targets.size > maximum && oldest !== undefined) targets.delete(oldest);
    },
    forget: (url) => {
      targets.delete(url);
    },
  };
}
