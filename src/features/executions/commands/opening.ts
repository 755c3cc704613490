// The commands that open the parts of an execution, and its node runs, as documents.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { showDocument } from '../../../editor/documents/documents.ts';
import { withEnding } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { findRun, type NodeRunArgument } from '../../../ui/pickers/nodeRunPicker.ts';
import { outputEnding, type OutputReading, type Outputs } from '../documents/outputs.ts';
import { documentUri, nodeRunUri, ranDefinitionUri } from '../../../ui/executionUris.ts';

export type OpeningDeps = Pick<
  App,
  'commands' | 'executions' | 'executionDocuments' | 'connections' | 'services' | 'workflows' | 'clock'
>;

export type NodeRunDeps = Pick<
  App,
  'commands' | 'executions' | 'executionDocuments' | 'connections' | 'following' | 'workflows' | 'clock'
>;

function registerPart(
  deps: OpeningDeps,
  command: 'execution.open' | 'execution.openDefinition' | 'execution.openInput' | 'execution.openTimeline',
  uriOf: (target: ExecutionTarget) => vscode.Uri,
): Disposable {
  return deps.commands.register(command, {
    ask: () => pickExecution(deps),
    run: async (target) => {
      const uri = uriOf(target);
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

function registerNodeRun(deps: NodeRunDeps & Pick<App, 'contextKeys'>): Disposable {
  return deps.commands.register<'nodeRun.open', NodeRunArgument>('nodeRun.open', {
    ask: () => pickExecution(deps),
    run: async (argument, { isInteractive }) => {
      const { connectionId, executionId, nodeRunKey = '' }: NodeRunArgument = argument;
      const target = { connectionId, executionId };
      const run = await findRun(deps, argument, isInteractive);
      const shown = run ?? { key: nodeRunKey, nodeName: vscode.l10n.t('node'), iteration: [] };
      const uri = nodeRunUri(deps.connections, target, shown);
      await showDocument(deps.executionDocuments, uri);
      deps.contextKeys('hasOpenedNodeRun', true);
      return uri.toString();
    },
  });
}

/** `outputs`: takes those that are read before their documents are opened. */
export function registerOpening(
  deps: OpeningDeps & NodeRunDeps & Pick<App, 'contextKeys'>,
  outputs: Outputs,
): Disposable {
  return combine(
    registerPart(deps, 'execution.open', (target) => documentUri(deps, target, 'details')),
    registerPart(deps, 'execution.openInput', (target) => documentUri(deps, target, 'input')),
    registerPart(deps, 'execution.openTimeline', (target) => documentUri(deps, target, 'timeline')),
    registerPart(deps, 'execution.openDefinition', (target) => ranDefinitionUri(deps, target)),
    registerOutput(deps, outputs),
    registerNodeRun(deps),
  );
}
