// How much what an author wrote may take. A worker that needs more memory than it may have is ended; only a single
// allocation far beyond that would end the whole process, so the size of each single thing is bounded as well.

/** Of a result as JSON, and of every text on the way to it. */
export const maximumCharacters = 1024 * 1024;
/** Of every list on the way to a result. */
export const maximumItems = 1024 * 1024;
/** Of what JSONata itself collects, such as a range or the results of a path. */
export const maximumSequence = 100_000;
/** How deep an expression may call itself. */
export const maximumCalls = 500;
