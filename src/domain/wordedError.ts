/** A failure whose message is already in the user's language. */
export class WordedError extends Error {
  override readonly name: string = 'WordedError';
}
