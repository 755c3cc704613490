import * as vscode from 'vscode';
import type { JsonValue } from '../../../base/json.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { statusWord } from '../../../ui/words/status.ts';
import type { FollowedDocuments } from './followedDocuments.ts';
import { outputEnding, type Outputs } from './outputs.ts';
import type { RunsRenderer } from './rendering/renderedRuns.ts';
import { isLarge, renderJson } from './rendering/renderJson.ts';
import { createLogRenderer } from './rendering/renderLog.ts';
import { renderTimeline } from './rendering/renderTimeline.ts';
import type { Output } from '../../../domain/execution.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { App } from '../../../ui/app.ts';
import { workflowName } from '../../../ui/words/names.ts';
import { executionAddress, type ExecutionAddress } from '../../../ui/addresses.ts';

export interface DocumentTextsDeps extends Pick<App, 'executions' | 'workflows'> {
  readonly outputs: Outputs;
  readonly followed: FollowedDocuments;
  /** Called when an output has another type than its document's file extension says. */
  readonly onMisnamed: (output: MisnamedOutput) => void;
}

export interface MisnamedOutput {
  readonly uri: vscode.Uri;
  readonly target: ExecutionTarget;
  readonly reading: Output;
}

/** Returns the text of a document. Throws FileNotFound for any other URI, and a ServiceError. */
export type ReadText = (uri: vscode.Uri, signal: AbortSignal) => Promise<string>;

export function createDocumentTexts(deps: DocumentTextsDeps): ReadText {
  const { executions, workflows, followed } = deps;
  const renderLog = createLogRenderer();
  const timelineOf =
    ({ connectionId }: ExecutionTarget): RunsRenderer =>
    (facts) =>
      renderTimeline(workflowName(workflows, connectionId, facts.execution.workflowId), facts);
  return async (uri, signal) => {
    const address = executionAddress(uri);
    if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const { target, part } = address;
    switch (part) {
      case 'details':
        return renderJson((await executions.read(target, signal)).raw, signal);
      case 'input':
        return renderJson((await executions.read(target, signal)).input ?? null, signal);
      case 'output':
        return readOutput(deps, uri, address, signal);
      case 'node':
        return readNodeRun(deps, address, signal);
      case 'log':
        return followed.read(uri, target, renderLog, signal);
      case 'timeline':
        return followed.read(uri, target, timelineOf(target), signal);
    }
  };
}

/** JSON doesn't allow comments, so a small object represents an output that isn't ready. */
async function readOutput(
  { outputs, onMisnamed }: DocumentTextsDeps,
  uri: vscode.Uri,
  { target, isCompact }: ExecutionAddress,
  signal: AbortSignal,
): Promise<string> {
  const reading = await outputs.take(target, signal);
  if (!uri.path.endsWith(outputEnding(reading))) onMisnamed({ uri, target, reading });
  switch (reading.kind) {
    case 'text':
      return reading.text;
    case 'ready': {
      const value = reading.output ?? (reading.error && { error: { ...reading.error } });
      return renderJson(value, signal, isCompact || isLarge(value));
    }
    case 'notReady': {
      const word = reading.status === null ? '' : statusWord(reading.status.state, reading.status.word);
      const notReady = vscode.l10n.t('There is no output yet: the execution is {0}.', word);
      return renderJson({ notReady }, signal);
    }
  }
}

async function readNodeRun(
  { executions }: DocumentTextsDeps,
  { target, nodeRunKey }: ExecutionAddress,
  signal: AbortSignal,
): Promise<string> {
  let feed = executions.logs(target);
  const find = () => feed.nodeRuns.find(({ key }) => key === nodeRunKey);
  if (find() === undefined || feed.isCut) feed = await executions.readLogs(target, signal);
  const run = find();
  const gone = { gone: vscode.l10n.t('The service no longer keeps this node run.') };
  if (run === undefined) return renderJson(gone, signal);
  return renderJson(describeNodeRun(await executions.readWholeValues(target, run, signal)), signal);
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
