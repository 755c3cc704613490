/** The id that a Location names, of the first of these collections found in it; null where it names none or isn't encoded as addresses are. */
export function locatedId(location: string | null, collections: readonly string[]): string | null {
  const id = new RegExp(`/(?:${collections.join('|')})/([^/?#]+)`).exec(location ?? '')?.[1];
  if (id === undefined) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return null;
  }
}
