// A test that a host cannot run is skipped, never silently: its title says why.

/** Ends the test or hook here. why: completes "skipped: …". */
export function skip(context: Mocha.Context, why: string): never {
  if (context.test) context.test.title += ` (skipped: ${why})`;
  return context.skip();
}
