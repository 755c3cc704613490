// The document of a node run: how it ended, and what it received and returned.
import * as vscode from 'vscode';
import type { JsonValue } from '../../../base/json.ts';
import type { RunError } from '../../../domain/execution.ts';
import { readExchange } from '../../../domain/httpExchange.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { LogFeed } from '../../../model/log/logFeed.ts';
import type { ExecutionAddress } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { type DocumentSource, isAboutRecord } from './documentSource.ts';
import { renderJson } from './renderJson.ts';

type NodeRunDeps = Pick<App, 'executions' | 'following'>;

export function createNodeRunSource(deps: NodeRunDeps): DocumentSource {
  return {
    read: ({ address }, signal) => readNodeRun(deps, address, signal),
    isTouched: isAboutRecord,
    findRun: ({ address: { target, nodeRunKey } }) => ({ ...target, nodeRunKey }),
  };
}

async function readNodeRun(
  { executions, following }: NodeRunDeps,
  { target, nodeRunKey }: ExecutionAddress,
  signal: AbortSignal,
): Promise<string> {
  const known = executions.logs(target);
  const isMissing = known.findNodeRun(nodeRunKey) === undefined || known.isTruncated;
  const feed = isMissing ? await following.readLog(target, signal) : known;
  const run = feed.findNodeRun(nodeRunKey);
  if (run === undefined) return renderJson({ gone: describeGone(feed) }, signal);
  return renderJson(describeNodeRun(await executions.readWholeValues(target, run, signal)), signal);
}

function describeGone({ goneRuns }: LogFeed): string {
  return goneRuns > 0
    ? vscode.l10n.t('This node run is no longer kept on this machine. Its lines are in the log.')
    : vscode.l10n.t('The service no longer keeps this node run.');
}

/** What matters first: how the node run ended and why, then what it received, returned, sent and got in response. */
function describeNodeRun(run: NodeRun): JsonValue {
  const { request, response } = readExchange(run.exchange) ?? {};
  return {
    status: run.status?.word ?? null,
    ...(run.isHandled && { isHandled: true }),
    ...(run.reusedFrom !== null && { reusedFrom: run.reusedFrom }),
    ...(run.isPinned && { isPinned: true }),
    ...(run.isAnswered && { isAnswered: true }),
    ...(run.children.length > 0 && { children: run.children }),
    ...(run.error === null ? {} : { error: describeError(run.error) }),
    nodeName: run.nodeName,
    nodeId: run.nodeId,
    nodeType: run.nodeType,
    ...(run.iteration.length === 0 ? {} : { iteration: run.iteration }),
    ...(run.attempt === 1 ? {} : { attempt: run.attempt }),
    input: run.input ?? null,
    output: run.output ?? null,
    ...(request && { request }),
    ...(response && { response }),
    startedAt: run.startedAt?.toISOString() ?? null,
    completedAt: run.completedAt?.toISOString() ?? null,
    durationMs: run.durationMs,
    logs: run.logs.map(({ timestamp, level, message }) => ({
      timestamp: timestamp?.toISOString() ?? null,
      level,
      message,
    })),
  };
}

/** The node is named by the node run itself. */
function describeError({ code, message }: RunError): JsonValue {
  return { message, ...(code === null ? {} : { code }) };
}
