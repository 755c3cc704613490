// Lines of actions in a node run's document: how it ended, what its input is, and what to do next; and in that of the execution's record.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { withoutIcons } from '../../../base/format.ts';
import { schemes } from '../../../editor/ids.ts';
import { type ExecutionChange, isAbout } from '../../../model/executions/connectionExecutions.ts';
import { executionAddress } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { hasAnswerableRequest, hasPinnableOutput } from '../../../ui/pinning.ts';
import { describeOutcome } from '../../../words/nodeState.ts';
import type { Execution } from '../../../domain/execution.ts';
import { shortId } from '../../../words/names.ts';
import { runIcon } from '../../../ui/icons.ts';

export function renderNodeRunLens(run: NodeRun): string {
  return `$(${runIcon(run).id}) ${withoutIcons(describeOutcome(run))}`;
}

function lensesOf(target: ExecutionTarget, run: NodeRun): readonly vscode.Command[] {
  const { nodeId } = run;
  const hasFailed = run.status?.state === 'failed';
  return [
    { title: renderNodeRunLens(run), command: '' },
    offerCommand(
      'nodeRun.revealInDefinition',
      { ...target, nodeId },
      { title: vscode.l10n.t('Reveal Node in Definition') },
    ),
    offerCommand(
      'nodeRun.openLog',
      { ...target, nodeRunKey: run.key },
      { title: vscode.l10n.t('Show in Log') },
    ),
    ...(hasFailed
      ? [
          offerCommand('execution.editInput', target, {
            title: vscode.l10n.t('Edit Input and Execute'),
            tooltip: vscode.l10n.t('Open the input of this execution, to change it and execute again'),
          }),
        ]
      : []),
  ];
}

/** Where the input comes from: it's no part of the node's definition, so a bare `false` says little. */
function describeInput({ nodeType, iteration }: NodeRun): string {
  if (nodeType === 'trigger') return vscode.l10n.t('Input of the execution');
  return iteration.length === 0
    ? vscode.l10n.t('Output of the previous node')
    : vscode.l10n.t('Output of the previous node, or the item of the loop');
}

function copyRequest(target: ExecutionTarget, run: NodeRun): vscode.Command {
  const title = vscode.l10n.t('Copy Request as cURL');
  return offerCommand('nodeRun.copyAsCurl', { ...target, nodeRunKey: run.key }, { title });
}

function pinOutput(target: ExecutionTarget, run: NodeRun): vscode.Command {
  const title = vscode.l10n.t('Pin Output');
  const tooltip = vscode.l10n.t('Drafts get this output instead of running the node');
  return offerCommand('nodeRun.pinOutput', { ...target, nodeRunKey: run.key }, { title, tooltip });
}

function answerRequest(target: ExecutionTarget, run: NodeRun): vscode.Command {
  const title = vscode.l10n.t('Answer Request…');
  const tooltip = vscode.l10n.t('Drafts get this response instead of sending the request');
  return offerCommand('nodeRun.answerRequest', { ...target, nodeRunKey: run.key }, { title, tooltip });
}

function openChild(target: ExecutionTarget, run: NodeRun): vscode.Command {
  const title =
    run.children.length > 1 ? vscode.l10n.t('Open Child Execution…') : vscode.l10n.t('Open Child Execution');
  return offerCommand('nodeRun.openChild', { ...target, nodeRunKey: run.key }, { title });
}

function nodeRunLenses(
  text: string,
  target: ExecutionTarget,
  run: NodeRun,
  { canPin, canAnswer }: { readonly canPin: boolean; readonly canAnswer: boolean },
): readonly vscode.CodeLens[] {
  const [input, output, request, children] = ['input', 'output', 'request', 'children'].map((member) =>
    lineOf(text, member),
  );
  return [
    ...lensesOf(target, run).map((command) => lensAt(0, command)),
    ...lensToExecution(text, 'reusedFrom', target.connectionId, run.reusedFrom),
    ...(children === undefined ? [] : [lensAt(children, openChild(target, run))]),
    ...(input === undefined ? [] : [lensAt(input, { title: describeInput(run), command: '' })]),
    ...(output === undefined || !canPin || !hasPinnableOutput(run)
      ? []
      : [lensAt(output, pinOutput(target, run))]),
    ...(request === undefined ? [] : [lensAt(request, copyRequest(target, run))]),
    ...(request === undefined || !canAnswer || !hasAnswerableRequest(run)
      ? []
      : [lensAt(request, answerRequest(target, run))]),
  ];
}

export function registerNodeRunLenses({
  executions,
  services,
}: Pick<App, 'executions' | 'services'>): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<void>());
  const isShown = (change: ExecutionChange): boolean =>
    vscode.workspace.textDocuments.some(({ uri }) => {
      const address = executionAddress(uri);
      const isOfRecord = address?.part === 'node' || address?.part === 'details';
      return isOfRecord && isAbout(change, address.target);
    });
  owned.add(
    executions.onDidChange((change) => {
      if (isShown(change)) changes.fire();
    }),
  );
  owned.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: schemes.execution, language: 'json' },
      {
        onDidChangeCodeLenses: changes.event,
        provideCodeLenses: (document) => {
          const address = executionAddress(document.uri);
          if (address?.part !== 'node' && address?.part !== 'details') return [];
          const { part, target, nodeRunKey } = address;
          if (part === 'details') {
            const execution = executions.find(target);
            return execution
              ? [...recordLenses(document.getText(), target, execution, executions.findRetry(target))]
              : [];
          }
          const run = executions.logs(target).findNodeRun(nodeRunKey);
          const offers = {
            canPin: services.offers(target.connectionId, 'draft'),
            canAnswer: services.offers(target.connectionId, 'answers'),
          };
          return run === undefined ? [] : [...nodeRunLenses(document.getText(), target, run, offers)];
        },
      },
    ),
  );
  return owned;
}

/** The line of the record's own member; those of values are indented further. */
function lineOf(text: string, member: string): number | undefined {
  const at = text.indexOf(`\n  "${member}": `);
  return at < 0 ? undefined : text.slice(0, at + 1).split('\n').length - 1;
}

const lensAt = (line: number, command: vscode.Command): vscode.CodeLens =>
  new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);

/** `text`: of the document. Above the member that names another execution of the service. */
export function lensToExecution(
  text: string,
  member: string,
  connectionId: string,
  executionId: string | null,
): readonly vscode.CodeLens[] {
  const line = lineOf(text, member);
  if (line === undefined || executionId === null) return [];
  const title = vscode.l10n.t('Open Execution {0}', shortId(executionId));
  return [lensAt(line, offerCommand('execution.open', { connectionId, executionId }, { title }))];
}

/** `text`: of the document. `retry`: the newest retry of the execution, if one is known. */
export function recordLenses(
  text: string,
  target: ExecutionTarget,
  { retryOf, basedOn, parent = null }: Execution,
  retry: Execution | undefined,
): readonly vscode.CodeLens[] {
  const { connectionId, executionId } = target;
  return [
    ...(retry === undefined
      ? []
      : [
          lensAt(
            0,
            offerCommand(
              'execution.openRetry',
              { connectionId, executionId },
              { title: vscode.l10n.t('Open Retry {0}', shortId(retry.id)) },
            ),
          ),
        ]),
    ...lensToExecution(text, 'retryOf', connectionId, retryOf),
    ...lensToExecution(text, 'basedOn', connectionId, basedOn),
    ...lensToExecution(text, 'parentExecution', connectionId, parent),
  ];
}
