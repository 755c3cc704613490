// The commands that open the parts of an execution as documents.
import type * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { showDocument } from '../../../editor/documents/documents.ts';
import { withEnding } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { outputEnding, type OutputReading, type Outputs } from '../documents/outputs.ts';
import { documentUri, ranDefinitionUri, type WholePart } from '../../../ui/executionUris.ts';

export type OpeningDeps = Pick<
  App,
  'commands' | 'executions' | 'executionDocuments' | 'connections' | 'services' | 'workflows' | 'clock'
>;

function registerPart(
  deps: OpeningDeps,
  command: 'execution.open' | 'execution.openInput' | 'execution.openTimeline',
  part: WholePart,
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

function registerDefinition(deps: OpeningDeps): Disposable {
  return deps.commands.register('execution.openDefinition', {
    ask: () => pickExecution(deps),
    run: async (target) => {
      const uri = ranDefinitionUri(deps, target);
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

/** `outputs`: takes those that are read before their documents are opened. */
export function registerOpening(deps: OpeningDeps, outputs: Outputs): Disposable {
  return combine(
    registerPart(deps, 'execution.open', 'details'),
    registerPart(deps, 'execution.openInput', 'input'),
    registerPart(deps, 'execution.openTimeline', 'timeline'),
    registerDefinition(deps),
    registerOutput(deps, outputs),
  );
}
