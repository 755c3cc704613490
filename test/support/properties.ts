// Properties are tried with the same values each time; other values, and more of them, are a matter of a variable.
const seed = Number(process.env['WORKFLOW_TEST_SEED'] ?? 1);
const times = Number(process.env['WORKFLOW_TEST_TRIES'] ?? 1);

/** How a property is tried. WORKFLOW_TEST_SEED=N tries other values, WORKFLOW_TEST_TRIES=N so many times as many; a failure prints the seed and the path to its value. */
export function tries(numRuns: number): { readonly seed: number; readonly numRuns: number } {
  return { seed, numRuns: numRuns * times };
}
