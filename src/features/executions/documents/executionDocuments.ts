import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { ExecutionChange } from '../../../model/executions/connectionExecutions.ts';
import { replaceInTabs, withSignal } from '../../../editor/documents.ts';
import { createDocumentChanges } from './documentChanges.ts';
import { createDocumentTexts, type MisnamedOutput } from './documentTexts.ts';
import { createFollowedDocuments } from './followedDocuments.ts';
import { outputEnding, type Outputs } from './outputs.ts';
import { registerRunOutline } from './runOutline.ts';
import { toUserError } from '../../../ui/words/describeError.ts';
import type { App } from '../../../ui/app.ts';
import { executionAddress, type ExecutionAddress, withEnding } from '../../../ui/addresses.ts';

export interface DocumentsDeps extends Pick<
  App,
  'connections' | 'logger' | 'clock' | 'executionDocuments' | 'executions' | 'following' | 'workflows'
> {
  readonly outputs: Outputs;
}

/** True if the change may affect the document. Except for log and timeline, each reading costs a request, so parts that can't change are skipped. */
function isTouched(address: ExecutionAddress, change: ExecutionChange): boolean {
  const { target, part } = address;
  switch (change.kind) {
    case 'list':
      return false;
    case 'rows':
      return (
        part !== 'input' &&
        target.connectionId === change.connectionId &&
        change.executionIds.includes(target.executionId)
      );
    case 'nodeRuns':
      return (
        (part === 'log' || part === 'timeline') &&
        target.connectionId === change.target.connectionId &&
        target.executionId === change.target.executionId
      );
  }
}

/** Replaces a document that was opened, and named, before the type of its output was known. */
async function rename(
  { outputs, logger }: DocumentsDeps,
  { uri, target, reading }: MisnamedOutput,
): Promise<void> {
  outputs.keep(target, reading);
  try {
    await replaceInTabs(uri, withEnding(uri, outputEnding(reading)));
  } catch (error) {
    logger.error('The document of an output could not be given its right name.', error);
  } finally {
    outputs.forget(target);
  }
}

/** Registers the documents of executions, which are read again when the execution changes. */
export function registerExecutionDocuments(deps: DocumentsDeps): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(createDocumentChanges(deps.clock));
  const followed = owned.add(createFollowedDocuments(deps));
  const readText = createDocumentTexts({
    ...deps,
    followed,
    onMisnamed: (output) => void rename(deps, output),
  });
  owned.add(registerRunOutline(followed, deps.connections));
  owned.add(
    deps.executionDocuments.attach({
      onDidChange: changes.onDidChange,
      provideTextDocumentContent: async (uri, token) => {
        try {
          return await withSignal(token, (signal) => changes.provide(uri, () => readText(uri, signal)));
        } catch (error) {
          throw toUserError(error);
        }
      },
    }),
  );
  owned.add(
    deps.executions.onDidChange((change) =>
      changes.announce((uri) => {
        const address = executionAddress(uri);
        return address !== undefined && isTouched(address, change);
      }),
    ),
  );
  return owned;
}
