import type { Rounding } from '../sandbox/messages.ts';

/** How many numbers the message names. */
const maximumNamed = 5;
/** How many are counted. */
const maximumCounted = 1000;

/** The numbers that the expressions of a node run read as the nearest ones. */
export class RoundedNumbers {
  readonly #byPlace = new Map<string, Rounding>();

  readonly add = (rounded: readonly Rounding[]): void => {
    for (const rounding of rounded)
      if (this.#byPlace.size < maximumCounted) this.#byPlace.set(rounding.place, rounding);
  };

  /** Undefined when there are none. */
  get words(): string | undefined {
    if (this.#byPlace.size === 0) return undefined;
    const named = [...this.#byPlace.values()].slice(0, maximumNamed);
    const more = this.#byPlace.size - named.length;
    const places = named.map(({ place, given, used }) =>
      place === given ? `${given} as ${used}` : `${place}, which is ${given}, as ${used}`,
    );
    return `Expressions compute with the nearest number. They read ${places.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
  }
}
