const defaultLongestMs = 2000;

/** Asks a database whether it answers: once at a time, however many callers want to know. */
export class DatabaseCheck {
  readonly #ask: () => Promise<void>;
  readonly #longestMs: number;
  #asked: Promise<boolean> | undefined;

  /** `ask` rejects when the database doesn't answer; `longestMs` is how long a caller waits for it, in milliseconds. */
  constructor(ask: () => Promise<void>, longestMs = defaultLongestMs) {
    this.#ask = ask;
    this.#longestMs = longestMs;
  }

  async answers(): Promise<boolean> {
    this.#asked ??= this.#begin();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#longestMs);
    });
    const hasAnswered = await Promise.race([this.#asked, late]);
    clearTimeout(timer);
    return hasAnswered;
  }

  async #begin(): Promise<boolean> {
    try {
      await this.#ask();
      return true;
    } catch {
      return false;
    } finally {
      this.#asked = undefined;
    }
  }
}
