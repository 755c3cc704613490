// Shows within a definition, node by node, what its execution did.
import { combine, type Disposable } from '../../../base/disposable.ts';
import { toggleShowExecution } from '../../../editor/settings.ts';
import type { LastRuns } from '../lastRun/lastRuns.ts';
import { registerDecorations } from './decorations.ts';
import { registerTurns, type TurnsDeps } from './turns.ts';

export function registerInline(lastRuns: LastRuns, deps: TurnsDeps): Disposable {
  return combine(
    registerDecorations(lastRuns),
    registerTurns(lastRuns, deps),
    deps.commands.registerPlain('definitions.toggleExecution', async () => ({
      isShown: await toggleShowExecution(),
    })),
  );
}
