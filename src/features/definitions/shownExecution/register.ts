// Shows within an open definition, node by node, what its latest execution did, or the one that was selected.
import { combine, type Disposable } from '../../../base/disposable.ts';
import { DocumentMarks, type Mark } from '../../../editor/documents/documentMarks.ts';
import { definitionSelector } from '../../../editor/ids.ts';
import { toggleShowExecution } from '../../../editor/settings.ts';
import { withoutReplaced } from '../../../ui/changedNodes.ts';
import { registerDecorations } from './decorations.ts';
import type { DrawnExecution, DrawnExecutions } from './drawnExecutions.ts';
import { renderNodeFailures } from './renderNodeFailures.ts';
import { registerSelecting, type SelectingDeps } from './selecting.ts';

export function registerShownExecution(drawnExecutions: DrawnExecutions, deps: SelectingDeps): Disposable {
  return combine(
    registerProblems(drawnExecutions),
    registerDecorations(drawnExecutions),
    registerSelecting(drawnExecutions, deps),
    deps.commands.registerPlain('definitions.toggleExecution', async () => ({
      isShown: await toggleShowExecution(),
    })),
  );
}

/** Lists the failed nodes in the Problems panel. */
function registerProblems(drawnExecutions: DrawnExecutions): Disposable {
  return new DocumentMarks({
    name: 'inline',
    selector: definitionSelector,
    find: (document) => {
      const drawn = drawnExecutions.find(document);
      return drawn === undefined ? [] : findMarks(drawn);
    },
    watch: ({ look }) => drawnExecutions.onDidChange(({ document }) => look(document)),
  });
}

function findMarks({ shown, nodes, positions, changes }: DrawnExecution): readonly Mark[] {
  const failures = renderNodeFailures(shown, nodes, withoutReplaced(positions, changes));
  return failures.map(({ offset, length, message, isHandled }) => ({
    offset,
    length,
    message,
    severity: isHandled ? 'Information' : 'Error',
  }));
}
