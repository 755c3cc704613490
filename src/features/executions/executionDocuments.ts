// Why: details, input and output of executions and node runs as read-only documents: searchable, diffable, saveable.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Clients } from '../../model/clients.ts';
import type { Executions } from '../../model/executions/executions.ts';
import type { NodeRun } from '../../model/executions/nodeRuns.ts';
import { statusWord } from '../../platform/statusIcon.ts';
import type { LazyDocuments } from '../../platform/lazySurfaces.ts';
import { executionAddress } from './executionUri.ts';
import type { ExecutionAddress } from './executionUri.ts';

export interface DocumentsParts {
  readonly clients: Clients;
  readonly executions: Executions;
  readonly executionDocuments: LazyDocuments;
}

function toText(value: JsonValue | undefined): string {
  return value === undefined ? '' : `${JSON.stringify(value, null, 2)}\n`;
}

function describeNodeRun(run: NodeRun): JsonValue {
  return {
    nodeId: run.nodeId,
    nodeName: run.nodeName,
    nodeType: run.nodeType,
    iteration: run.iteration,
    attempt: run.attempt,
    status: run.status?.word ?? null,
    startedAt: run.startedAt?.toISOString() ?? null,
    completedAt: run.completedAt?.toISOString() ?? null,
    durationMs: run.durationMs,
    error: run.error === null ? null : { ...run.error },
    input: run.input ?? null,
    output: run.output ?? null,
    logs: run.logs.map(({ timestamp, level, message }) => ({
      timestamp: timestamp?.toISOString() ?? null,
      level,
      message,
    })),
  };
}

/** The text of a document. An output that is not there yet is said in a comment-free way: as a small JSON object. */
async function readDocument(
  parts: DocumentsParts,
  address: ExecutionAddress,
  signal: AbortSignal,
): Promise<string> {
  const { executions, clients } = parts;
  const { target, part } = address;
  switch (part) {
    case 'details':
      return toText((await executions.read(target, signal)).raw);
    case 'input':
      return toText((await executions.read(target, signal)).input ?? null);
    case 'output': {
      const reading = await clients
        .get(target.connectionId)
        .executions.output(target.executionId, { signal });
      if (reading.kind === 'text') return reading.text;
      if (reading.kind === 'ready')
        return toText(reading.output ?? (reading.error && { error: { ...reading.error } }));
      const word = reading.status === null ? '' : statusWord(reading.status.state, reading.status.word);
      return toText({ notReady: vscode.l10n.t('There is no output yet: the execution is {0}.', word) });
    }
    case 'node': {
      const feed = executions.logs(target);
      const find = () => feed.nodeRuns.current.find(({ key }) => key === address.nodeRunKey);
      if (find() === undefined) await executions.readLogs(target, signal);
      const run = find();
      return run === undefined
        ? toText({ gone: vscode.l10n.t('The service no longer keeps this node run.') })
        : toText(describeNodeRun(run));
    }
  }
}

/** Open documents of an execution are read again when the execution changes. */
export function registerExecutionDocuments(parts: DocumentsParts): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<vscode.Uri>());
  owned.add(
    parts.executionDocuments.fill({
      onDidChange: changes.event,
      provideTextDocumentContent: async (uri, token) => {
        const address = executionAddress(uri);
        if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
        const controller = new AbortController();
        const subscription = token.onCancellationRequested(() => {
          controller.abort();
        });
        try {
          return await readDocument(parts, address, controller.signal);
        } finally {
          subscription.dispose();
        }
      },
    }),
  );
  owned.add(
    parts.executions.onDidChange((change) => {
      if (change.kind !== 'rows') return;
      for (const { uri } of vscode.workspace.textDocuments) {
        const target = executionAddress(uri)?.target;
        if (target?.connectionId !== change.connectionId) continue;
        if (change.executionIds.includes(target.executionId) && isUnfinished(uri)) changes.fire(uri);
      }
    }),
  );
  return owned;

  /** Only what may still change is read again; each reading costs a request. */
  function isUnfinished(uri: vscode.Uri): boolean {
    const address = executionAddress(uri);
    return address !== undefined && address.part !== 'input';
  }
}
