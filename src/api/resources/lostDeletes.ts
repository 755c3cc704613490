import { isServiceError, mayHaveArrived } from '../../domain/errors.ts';

/** Deletes, and remembers those whose response was lost: a record that is gone the next time was deleted. */
export class LostDeletes {
  readonly #ids = new Set<string>();

  async delete(id: string, send: () => Promise<unknown>): Promise<void> {
    try {
      await send();
      this.#ids.delete(id);
    } catch (error) {
      if (isServiceError(error, 'notFound') && this.#ids.delete(id)) return;
      if (isServiceError(error) && mayHaveArrived(error)) this.#ids.add(id);
      throw error;
    }
  }
}
