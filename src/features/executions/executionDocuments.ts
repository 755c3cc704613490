// Why: what can be read of executions and node runs as read-only documents: searchable, diffable, saveable, and true while they are open.
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Connections } from '../../model/connections/connections.ts';
import type { ExecutionChange } from '../../model/executions/executions.ts';
import type { Clock } from '../../model/ports.ts';
import type { LazyDocuments } from '../../platform/surfaces/lazySurfaces.ts';
import { createDocumentChanges } from './documentChanges.ts';
import { createDocumentTexts } from './documentTexts.ts';
import type { DocumentTextsParts } from './documentTexts.ts';
import { executionAddress } from './executionUri.ts';
import type { ExecutionAddress } from './executionUri.ts';
import { createFollowedDocuments } from './followedDocuments.ts';
import type { FollowedDocumentsParts } from './followedDocuments.ts';
import { registerRunOutline } from './runOutline.ts';

export interface DocumentsParts extends FollowedDocumentsParts, Omit<DocumentTextsParts, 'followed'> {
  readonly connections: Connections;
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

/** Open documents of an execution are read again when the execution changes. */
export function registerExecutionDocuments(parts: DocumentsParts): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(createDocumentChanges(parts.clock));
  const followed = owned.add(createFollowedDocuments(parts));
  const readText = createDocumentTexts({ ...parts, followed });
  owned.add(registerRunOutline(followed, parts.connections));
  owned.add(
    parts.executionDocuments.fill({
      onDidChange: changes.onDidChange,
      provideTextDocumentContent: async (uri, token) => {
        const controller = new AbortController();
        const subscription = token.onCancellationRequested(() => {
          controller.abort();
        });
        try {
          return await changes.provide(uri, () => readText(uri, controller.signal));
        } finally {
          subscription.dispose();
        }
      },
    }),
  );
  owned.add(
    parts.executions.onDidChange((change) => {
      changes.announce((uri) => {
        const address = executionAddress(uri);
        return address !== undefined && isTouched(address, change);
      });
    }),
  );
  return owned;
}
