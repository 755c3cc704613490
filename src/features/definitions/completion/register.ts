// Completion and hovers in definitions and in files named *.workflow.json.
import type { Disposable } from '../../../base/disposable.ts';
import type { App } from '../../../ui/app.ts';
import type { LastRuns } from '../lastRun/lastRuns.ts';

export type DefinitionHelpDeps = Pick<App, 'definitionHelp'>;

/** Values come from the execution that is shown on the definition, so nothing is asked of the service. */
export function registerDefinitionHelp(
  { definitionHelp }: DefinitionHelpDeps,
  lastRuns: LastRuns,
): Disposable {
  return definitionHelp.attach({
    complete: async (place, trigger) => {
      const { complete } = await import('./definitionHelp.ts');
      return complete(place, lastRuns.shownOn(place.document), trigger);
    },
    explain: async (place) => {
      const { explain } = await import('./definitionHelp.ts');
      return explain(place, lastRuns.find(place.document));
    },
  });
}
