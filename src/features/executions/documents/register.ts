import { combine, type Disposable } from '../../../base/disposable.ts';
import type { App } from '../../../ui/app.ts';
import { workflowName } from '../../../ui/words/names.ts';
import { type DocumentSource, isOfRecord } from './documentSource.ts';
import { ExecutionDocuments, type DocumentSources } from './executionDocuments.ts';
import { FollowedSource, type RenderedRuns } from './followedSource.ts';
import { registerNodeRunLenses } from './nodeRunLenses.ts';
import { createNodeRunSource } from './nodeRunSource.ts';
import type { Outputs } from './outputs.ts';
import { createOutputSource } from './outputSource.ts';
import { renderJson } from './renderJson.ts';
import { renderTimeline } from './renderTimeline.ts';
import { registerSections } from './sections.ts';

type DocumentsDeps = Pick<
  App,
  'clock' | 'executionDocuments' | 'executions' | 'following' | 'logger' | 'workflows'
>;

function createDetailsSource({ executions }: DocumentsDeps): DocumentSource {
  return {
    read: async ({ address: { target } }, signal) =>
      renderJson((await executions.read(target, signal)).raw, signal),
    isTouched: isOfRecord,
  };
}

function createInputSource({ executions }: DocumentsDeps): DocumentSource {
  return {
    read: async ({ address: { target } }, signal) =>
      renderJson((await executions.readInput(target, signal)).input ?? null, signal),
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
