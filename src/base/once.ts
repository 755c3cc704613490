// What is loaded on first use is loaded once for all who ask, and a failure is nobody's fate: the next use tries again.

/** The same promise however often it is called, until it rejects. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
