// Properties are tried with the same values each time; other values are a matter of one variable.
const seed = Number(process.env['WORKFLOW_TEST_SEED'] ?? 1);

/** How a property is tried. WORKFLOW_TEST_SEED=N tries other values; a failure prints the seed and the path to its value. */
export function tries(numRuns: number): { readonly seed: number; readonly numRuns: number } {
  return { seed, numRuns };
}
