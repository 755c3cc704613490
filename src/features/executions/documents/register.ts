import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { renderDefinition } from '../../../model/workflows/workflowDefinition.ts';
import type { App } from '../../../ui/app.ts';
import { workflowName } from '../../../words/names.ts';
import { type DocumentSource, isAboutRecord } from './documentSource.ts';
import { ExecutionDocuments, type DocumentSources } from './executionDocuments.ts';
import { FollowedSource, type RenderedRuns } from './followedSource.ts';
import { registerNodeRunLenses } from './nodeRunLenses.ts';
import { createNodeRunSource } from './nodeRunSource.ts';
import { type Outputs, createOutputSource } from './outputs.ts';
import { renderJson } from './renderJson.ts';
import { renderTimeline } from './renderTimeline.ts';
import { registerSections } from './sections.ts';

type DocumentsDeps = Pick<
  App,
  'clock' | 'executionDocuments' | 'executions' | 'following' | 'logger' | 'ranDefinitions' | 'workflows'
>;

function createDetailsSource({ executions }: DocumentsDeps): DocumentSource {
  return {
    read: async ({ address: { target } }, signal) =>
      renderJson((await executions.read(target, signal)).raw, signal),
    isTouched: isAboutRecord,
  };
}

function createInputSource({ executions }: DocumentsDeps): DocumentSource {
  return {
    read: async ({ address: { target } }, signal) =>
      renderJson((await executions.readInput(target, signal)).input ?? null, signal),
    isTouched: () => false,
  };
}

function createDefinitionSource({ executions, ranDefinitions }: DocumentsDeps): DocumentSource {
  return {
    read: async ({ address: { target } }, signal) => {
      const execution = await executions.get(target, signal);
      const { workflowId } = execution;
      const { connectionId } = target;
      const ran =
        workflowId === null
          ? undefined
          : await ranDefinitions.read({ connectionId, workflowId }, execution, signal);
      if (ran === undefined)
        throw new PlainError(vscode.l10n.t("It isn't known which definition this execution ran."));
      return renderDefinition(ran.definition);
    },
    isTouched: () => false,
  };
}

export function createTimelineSource(
  deps: Pick<App, 'executions' | 'following' | 'workflows'>,
): FollowedSource<RenderedRuns> {
  return new FollowedSource(deps, {
    render: ({ connectionId }, facts) =>
      renderTimeline(workflowName(deps.workflows, connectionId, facts.execution.workflowId), facts),
  });
}

/** `others`: the sources that have an owner, which disposes of the documents first. */
export function createDocuments(
  deps: DocumentsDeps,
  outputs: Outputs,
  others: Pick<DocumentSources, 'log' | 'timeline' | 'comparison' | 'differences'>,
): ExecutionDocuments {
  return new ExecutionDocuments(deps, {
    ...others,
    details: createDetailsSource(deps),
    input: createInputSource(deps),
    definition: createDefinitionSource(deps),
    output: createOutputSource(deps, outputs),
    node: createNodeRunSource(deps),
  });
}

/** Shows the documents, with what leads from those of node runs to others. */
export function registerDocuments(
  deps: Pick<App, 'connections' | 'executionDocuments' | 'executions' | 'services'>,
  documents: ExecutionDocuments,
): Disposable {
  return combine(
    registerSections((document) => documents.sectionsOf(document), deps.connections),
    registerNodeRunLenses(deps),
    deps.executionDocuments.attach(documents),
  );
}
