/** How a file and its workflow stand to each other since both were last agreed, in the words that people read. */
export type FileState =
  'same' | 'changed here' | 'changed there' | 'both changed' | 'only here' | 'only there' | 'deleted there';

/** What is known of the two sides. */
export interface Sides {
  readonly hasFile: boolean;
  /** A workflow of the environment is noted for the file. */
  readonly isLinked: boolean;
  readonly hasWorkflow: boolean;
  /** Both have the same definition. */
  readonly isEqual: boolean;
  /** Against what was last agreed; undefined where nothing was. */
  readonly changed: { readonly here: boolean; readonly there: boolean } | undefined;
}

/** undefined: there's neither of the two. */
export function stateOf({ hasFile, isLinked, hasWorkflow, isEqual, changed }: Sides): FileState | undefined {
  if (!hasFile) return hasWorkflow ? 'only there' : undefined;
  if (!hasWorkflow) return isLinked ? 'deleted there' : 'only here';
  if (isEqual) return 'same';
  // What was never agreed could be anybody's on either side.
  if (changed === undefined || (changed.here && changed.there)) return 'both changed';
  if (changed.here) return 'changed here';
  // A service that doesn't keep all that it's given differs from the file although nobody changed either.
  return changed.there ? 'changed there' : 'same';
}
