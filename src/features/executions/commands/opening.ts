// The commands that open the parts of an execution as documents, and compare two outputs.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { showDocument } from '../../../editor/documents.ts';
import { plainLine } from '../../../editor/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { type ExecutionPart, executionUri, withCompactLayout, withEnding } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { connectionName, shortId, workflowName } from '../../../ui/words/names.ts';
import { outputEnding, type OutputReading, type Outputs } from '../documents/outputs.ts';
import { isLarge } from '../documents/renderJson.ts';

type OpeningDeps = Pick<
  App,
  'commands' | 'executions' | 'executionDocuments' | 'connections' | 'workflows' | 'clock'
>;

type OpenedPart = Exclude<ExecutionPart, 'node'>;

function partWord(part: OpenedPart): string {
  switch (part) {
    case 'details':
      return vscode.l10n.t('details');
    case 'input':
      return vscode.l10n.t('input');
    case 'output':
      return vscode.l10n.t('output');
    case 'log':
      // The file extension already says it.
      return '';
    case 'timeline':
      return vscode.l10n.t('timeline');
  }
}

/** `name`: that of the workflow. */
interface ExecutionTitle {
  readonly name: string;
  readonly id: string;
}

/** The title is only nice to know, so it costs no request. */
function titleOf({ executions, workflows }: OpeningDeps, target: ExecutionTarget): ExecutionTitle {
  const workflowId = executions.find(target)?.workflowId ?? null;
  const name = workflowName(workflows, target.connectionId, workflowId);
  // The id follows the name, so a long name must leave room for it.
  return { name: plainLine(name, 50), id: shortId(target.executionId) };
}

function documentUri(deps: OpeningDeps, target: ExecutionTarget, part: OpenedPart): vscode.Uri {
  const { name, id } = titleOf(deps, target);
  return executionUri(
    { target, part, nodeRunKey: '', isCompact: false },
    {
      connectionName: connectionName(deps.connections, target.connectionId),
      title: `${name} ${id} ${partWord(part)}`,
    },
  );
}

function registerPart(
  deps: OpeningDeps,
  command: 'execution.open' | 'execution.openInput' | 'execution.openLog' | 'execution.openTimeline',
  part: OpenedPart,
): Disposable {
  return deps.commands.register(command, {
    ask: () => pickExecution(deps),
    run: async (target) => {
      const uri = documentUri(deps, target, part);
      await showDocument(deps.executionDocuments, uri);
      return uri.toString();
    },
  });
}

/** Reads the output and returns it with the URI of its document, whose file extension depends on the output's type. */
async function readOutput(
  deps: OpeningDeps,
  target: ExecutionTarget,
): Promise<OutputReading & { readonly uri: vscode.Uri }> {
  const output = await deps.executions.output(target);
  const uri = documentUri(deps, target, 'output');
  return { target, output, uri: withEnding(uri, outputEnding(output)) };
}

function registerOutput(deps: OpeningDeps, outputs: Outputs): Disposable {
  return deps.commands.register('execution.openOutput', {
    ask: () => pickExecution(deps),
    run: async (target) => {
      const reading = await readOutput(deps, target);
      await outputs.lend([reading], () => showDocument(deps.executionDocuments, reading.uri));
      return reading.uri.toString();
    },
  });
}

/** The other selected execution, or else one that the user chooses. */
async function findOther(
  deps: OpeningDeps,
  target: ExecutionTarget,
  selected: readonly ExecutionTarget[],
): Promise<ExecutionTarget> {
  const [other, ...more] = selected.filter(({ executionId }) => executionId !== target.executionId);
  if (more.length > 0) throw new PlainError(vscode.l10n.t('Select two executions to compare them.'));
  return other ?? pickExecution(deps, vscode.l10n.t('Compare with which execution?'), { except: target });
}

function comparisonTitle(deps: OpeningDeps, both: readonly ExecutionTarget[]): string {
  const titles = both.map((target) => titleOf(deps, target));
  const isOneWorkflow = new Set(titles.map(({ name }) => name)).size === 1;
  return titles.map(({ name, id }, at) => (isOneWorkflow && at > 0 ? id : `${name} ${id}`)).join(' ↔ ');
}

/** Shows both outputs in one layout, compact if either is large, so that only real differences show. Returns their URIs. */
async function compare(
  deps: OpeningDeps,
  outputs: Outputs,
  both: readonly ExecutionTarget[],
): Promise<readonly string[]> {
  const readings = await Promise.all(both.map((target) => readOutput(deps, target)));
  const isCompact = readings.some(({ output }) => output.kind === 'ready' && isLarge(output.output));
  const uris = readings.map(({ uri }) => (isCompact ? withCompactLayout(uri) : uri));
  const title = comparisonTitle(deps, both);
  await outputs.lend(readings, () => vscode.commands.executeCommand('vscode.diff', ...uris, title));
  return uris.map(String);
}

function registerCompare(deps: OpeningDeps, outputs: Outputs): Disposable {
  return deps.commands.register('execution.compare', {
    ask: () => pickExecution(deps),
    run: async ({ otherExecutionId, ...target }, { selected }) => {
      const { connectionId } = target;
      const other =
        otherExecutionId === undefined
          ? await findOther(deps, target, selected)
          : { connectionId, executionId: otherExecutionId };
      return compare(deps, outputs, [target, other]);
    },
  });
}

/** `outputs`: takes those that are read before their documents are opened. */
export function registerOpening(deps: OpeningDeps, outputs: Outputs): Disposable {
  return combine(
    registerPart(deps, 'execution.open', 'details'),
    registerPart(deps, 'execution.openInput', 'input'),
    registerPart(deps, 'execution.openLog', 'log'),
    registerPart(deps, 'execution.openTimeline', 'timeline'),
    registerOutput(deps, outputs),
    registerCompare(deps, outputs),
  );
}
