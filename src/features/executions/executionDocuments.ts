// What can be read of executions and node runs as read-only documents: searchable, diffable, saveable, and true while they are open.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Connections } from '../../model/connections/connections.ts';
import type { ExecutionChange } from '../../model/executions/executions.ts';
import type { Clock } from '../../model/ports.ts';
import { worded } from '../../pickers/describeConnectionError.ts';
import { replaceInTabs } from '../../platform/surfaces/documents.ts';
import type { LazyDocuments } from '../../platform/surfaces/lazySurfaces.ts';
import { createDocumentChanges } from './documentChanges.ts';
import { createDocumentTexts, type DocumentTextsParts, type MisnamedOutput } from './documentTexts.ts';
import { executionAddress, type ExecutionAddress, withEnding } from './executionUri.ts';
import { createFollowedDocuments, type FollowedDocumentsParts } from './followedDocuments.ts';
import { outputEnding } from './outputs.ts';
import { registerRunOutline } from './runOutline.ts';

export interface DocumentsParts
  extends FollowedDocumentsParts, Omit<DocumentTextsParts, 'followed' | 'onMisnamed'> {
  readonly connections: Connections;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly executionDocuments: LazyDocuments;
}

/** True when the change may show in the document; each reading but that of log and timeline costs a request, so what cannot change any more is left alone. */
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

/** What was opened before its output was there has a name that was a guess; a document with the right one takes its place. */
async function rename(
  { outputs, logger }: DocumentsParts,
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

/** Open documents of an execution are read again when the execution changes. */
export function registerExecutionDocuments(parts: DocumentsParts): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(createDocumentChanges(parts.clock));
  const followed = owned.add(createFollowedDocuments(parts));
  const readText = createDocumentTexts({
    ...parts,
    followed,
    onMisnamed: (output) => void rename(parts, output),
  });
  owned.add(registerRunOutline(followed, parts.connections));
  owned.add(
    parts.executionDocuments.fill({
      onDidChange: changes.onDidChange,
      provideTextDocumentContent: async (uri, token) => {
        const controller = new AbortController();
        const subscription = token.onCancellationRequested(() => controller.abort());
        try {
          return await changes.provide(uri, () => readText(uri, controller.signal));
        } catch (error) {
          throw worded(error);
        } finally {
          subscription.dispose();
        }
      },
    }),
  );
  owned.add(
    parts.executions.onDidChange((change) =>
      changes.announce((uri) => {
        const address = executionAddress(uri);
        return address !== undefined && isTouched(address, change);
      }),
    ),
  );
  return owned;
}
