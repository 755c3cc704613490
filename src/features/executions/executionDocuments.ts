// Why: details, input and output of executions and node runs as read-only documents: searchable, diffable, saveable.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { JsonValue } from '../../base/json.ts';
import type { ExecutionChange, Executions } from '../../model/executions/executions.ts';
import type { NodeRun } from '../../model/executions/nodeRuns.ts';
import type { Clock } from '../../model/ports.ts';
import { statusWord } from '../../platform/statusIcon.ts';
import type { LazyDocuments } from '../../platform/surfaces/lazySurfaces.ts';
import { createDocumentChanges } from './documentChanges.ts';
import { executionAddress } from './executionUri.ts';
import type { ExecutionAddress } from './executionUri.ts';
import { createLogDocuments } from './logDocuments.ts';
import type { LogDocuments, LogDocumentsParts } from './logDocuments.ts';
import type { Outputs } from './outputs.ts';
import { renderJson } from './renderJson.ts';

export interface DocumentsParts extends LogDocumentsParts {
  readonly executions: Executions;
  readonly outputs: Outputs;
  readonly clock: Clock;
  readonly executionDocuments: LazyDocuments;
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
  logs: LogDocuments,
  uri: vscode.Uri,
  signal: AbortSignal,
): Promise<string> {
  const address = executionAddress(uri);
  if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  const { executions } = parts;
  const { target, part } = address;
  switch (part) {
    case 'details':
      return renderJson((await executions.read(target, signal)).raw, signal);
    case 'input':
      return renderJson((await executions.read(target, signal)).input ?? null, signal);
    case 'output':
      return readOutput(parts, address, signal);
    case 'node':
      return readNodeRun(parts, address, signal);
    case 'log':
      return logs.read(uri, target, signal);
  }
}

async function readOutput(
  { outputs }: DocumentsParts,
  { target }: ExecutionAddress,
  signal: AbortSignal,
): Promise<string> {
  const reading = await outputs.take(target, signal);
  if (reading.kind === 'text') return reading.text;
  if (reading.kind === 'ready')
    return renderJson(reading.output ?? (reading.error && { error: { ...reading.error } }), signal);
  const word = reading.status === null ? '' : statusWord(reading.status.state, reading.status.word);
  return renderJson(
    { notReady: vscode.l10n.t('There is no output yet: the execution is {0}.', word) },
    signal,
  );
}

async function readNodeRun(
  { executions }: DocumentsParts,
  { target, nodeRunKey }: ExecutionAddress,
  signal: AbortSignal,
): Promise<string> {
  const feed = executions.logs(target);
  const find = () => feed.nodeRuns.current.find(({ key }) => key === nodeRunKey);
  if (find() === undefined) await executions.readLogs(target, signal);
  const run = find();
  const gone = { gone: vscode.l10n.t('The service no longer keeps this node run.') };
  return renderJson(run === undefined ? gone : describeNodeRun(run), signal);
}

/** True when the change may show in the document; each reading but that of a log costs a request, so what cannot change any more is left alone. */
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
        part === 'log' &&
        target.connectionId === change.target.connectionId &&
        target.executionId === change.target.executionId
      );
  }
}

/** Open documents of an execution are read again when the execution changes. */
export function registerExecutionDocuments(parts: DocumentsParts): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(createDocumentChanges(parts.clock));
  const logs = owned.add(createLogDocuments(parts));
  owned.add(
    parts.executionDocuments.fill({
      onDidChange: changes.onDidChange,
      provideTextDocumentContent: async (uri, token) => {
        const controller = new AbortController();
        const subscription = token.onCancellationRequested(() => {
          controller.abort();
        });
        try {
          return await changes.provide(uri, () => readDocument(parts, logs, uri, controller.signal));
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
