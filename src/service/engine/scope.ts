// What a node can see.
import type { SandboxScope } from '../sandbox/sandbox.ts';

/** What expressions see, and the turn of each enclosing loop, outermost first. */
export interface Scope extends SandboxScope {
  readonly iteration: readonly number[];
}
