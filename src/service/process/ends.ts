/** Undoes one step of a start. */
export type End = () => void | Promise<void>;

/** Runs the steps in reverse order, also after one that fails. Rejects with the reason of the first that failed. */
export async function endAll(ends: End[]): Promise<void> {
  const reasons: unknown[] = [];
  for (const end of ends.splice(0).reverse()) {
    try {
      await end();
    } catch (error) {
      reasons.push(error);
    }
  }
  if (reasons.length > 0) throw reasons[0];
}
