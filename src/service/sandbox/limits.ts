// Limits for authors' expressions. A worker that exceeds its memory limit is terminated, but a single allocation far beyond it ends
// the whole process, so the size of each value is limited as well.

/** For a result as JSON and for each intermediate string, in UTF-16 units. */
export const maximumCharacters = 1024 * 1024;
/** For each intermediate list. */
export const maximumItems = 1024 * 1024;
/** For the sequences that JSONata creates, such as a range or the results of a path. */
export const maximumSequence = 100_000;
/** The maximum depth of nested calls. */
export const maximumCalls = 500;
