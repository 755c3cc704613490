import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { JsonValue } from '../../../base/json.ts';
import type { Output, RunError } from '../../../domain/execution.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { executionName, type ExecutionTarget } from '../../../domain/targets.ts';
import { replaceInTabs, withSignal } from '../../../editor/documents.ts';
import { onDidChange, settings } from '../../../editor/settings.ts';
import { type ExecutionChange, isAbout } from '../../../model/executions/connectionExecutions.ts';
import { executionAddress, type ExecutionAddress, withEnding } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { toUserError } from '../../../ui/words/describeError.ts';
import { workflowName } from '../../../ui/words/names.ts';
import { statusWord } from '../../../ui/words/status.ts';
import { type ComparedDocuments, comparedTargets, targetsOf } from '../comparison/comparedDocuments.ts';
import type { LogTexts } from '../log/logTexts.ts';
import { registerRevealNode } from '../commands/revealNode.ts';
import { readCompared, renderCompared } from './compared.ts';
import { DocumentChanges } from './documentChanges.ts';
import { FollowedDocuments, registerRunOutline } from './followedDocuments.ts';
import { registerNodeRunLenses } from './nodeRunLenses.ts';
import { outputEnding, type Outputs } from './outputs.ts';
import { isLarge, renderJson } from './renderJson.ts';
import { renderTimeline } from './renderTimeline.ts';

type DocumentsDeps = Pick<
  App,
  'clock' | 'executionDocuments' | 'executions' | 'following' | 'logger' | 'workflows'
>;

/** What documents are made from besides the model. */
export interface DocumentSources {
  /** Outputs that were read before their documents are opened. */
  readonly outputs: Outputs;
  readonly compared: ComparedDocuments;
  readonly logs: LogTexts;
}

/** The texts of executions' documents, which are read again when the execution changes. */
export class ExecutionDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #deps: DocumentsDeps;
  readonly #outputs: Outputs;
  readonly #owned = new DisposableStore();
  readonly #changes: DocumentChanges;
  readonly #logs: LogTexts;
  readonly followed: FollowedDocuments;
  readonly #compared: ComparedDocuments;
  readonly onDidChange: vscode.Event<vscode.Uri>;

  constructor(deps: DocumentsDeps, { outputs, compared, logs }: DocumentSources) {
    this.#deps = deps;
    this.#outputs = outputs;
    this.#compared = compared;
    this.#logs = logs;
    this.#changes = this.#owned.add(new DocumentChanges(deps.clock));
    this.onDidChange = this.#changes.onDidChange;
    this.followed = this.#owned.add(new FollowedDocuments(deps));
    this.#owned.add(
      logs.views.onDidChange((target) => this.#changes.announce((uri) => isLogOf(uri, target))),
    );
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        const address = executionAddress(uri);
        if (address?.part === 'log') logs.forget(address.target);
      }),
    );
    this.#owned.add(
      deps.executions.onDidChange((change) => {
        const isConcerned = (uri: vscode.Uri): boolean => {
          const address = executionAddress(uri);
          return address !== undefined && isTouched(address, change);
        };
        this.#compared.touch(isConcerned);
        this.#changes.announce(isConcerned);
      }),
    );
    this.#owned.add(
      onDidChange(settings.ignoredFields, () =>
        this.#changes.announce((uri) => targetsOf(uri) !== undefined),
      ),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    try {
      return await withSignal(token, (signal) => this.#changes.provide(uri, () => this.read(uri, signal)));
    } catch (error) {
      throw toUserError(error);
    }
  }

  /** Returns the text of a document. Throws FileNotFound for any other URI, and a ServiceError. */
  async read(uri: vscode.Uri, signal: AbortSignal): Promise<string> {
    const address = executionAddress(uri);
    if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const { executions, workflows } = this.#deps;
    const { target, part } = address;
    switch (part) {
      case 'details':
        return renderJson((await executions.read(target, signal)).raw, signal);
      case 'input':
        return renderJson((await executions.readInput(target, signal)).input ?? null, signal);
      case 'output':
        return this.#readOutput(uri, target, signal);
      case 'node':
        return this.#readNodeRun(address, signal);
      case 'comparison':
        return this.#readCompared(address, signal);
      case 'differences':
        return this.#readDifferences(uri, address, signal);
      case 'log':
        return this.followed.read(
          uri,
          target,
          {
            render: ({ execution }) => this.#logs.render(target, execution, signal),
            view: this.#logs.views.get(target),
          },
          signal,
        );
      case 'timeline': {
        const nameOf = (workflowId: string | null) =>
          workflowName(workflows, target.connectionId, workflowId);
        return this.followed.read(
          uri,
          target,
          { render: (facts) => renderTimeline(nameOf(facts.execution.workflowId), facts) },
          signal,
        );
      }
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #readOutput(uri: vscode.Uri, target: ExecutionTarget, signal: AbortSignal): Promise<string> {
    const output = this.#outputs.take(target) ?? (await this.#deps.executions.output(target, signal));
    if (!uri.path.endsWith(outputEnding(output))) void this.#rename(uri, target, output);
    return renderOutput(output, signal);
  }

  /** Replaces a document that was opened, and named, before the type of its output was known. */
  async #rename(uri: vscode.Uri, target: ExecutionTarget, output: Output): Promise<void> {
    const { executionDocuments, logger } = this.#deps;
    const renamed = withEnding(uri, outputEnding(output));
    try {
      await this.#outputs.lend([{ target, output }], async () => {
        // Loaded first: what the user opens in the meantime then stays in front.
        await executionDocuments.open(renamed);
        await replaceInTabs(uri, renamed);
      });
    } catch (error) {
      logger.error('The document of an output could not be given its right name.', error);
    }
  }

  async #readCompared({ target, isCompact }: ExecutionAddress, signal: AbortSignal): Promise<string> {
    const facts = await readCompared(this.#deps, target, this.#outputs.take(target), signal);
    const value = renderCompared(facts);
    return renderJson(value, signal, isCompact || isLarge(value));
  }

  async #readDifferences(uri: vscode.Uri, address: ExecutionAddress, signal: AbortSignal): Promise<string> {
    const targets = comparedTargets(address);
    if (targets === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return this.#compared.read(uri, targets, signal);
  }

  async #readNodeRun({ target, nodeRunKey }: ExecutionAddress, signal: AbortSignal): Promise<string> {
    const { executions, following } = this.#deps;
    const known = executions.logs(target);
    const isMissing = known.findNodeRun(nodeRunKey) === undefined || known.isCut;
    const feed = isMissing ? await following.readLog(target, signal) : known;
    const run = feed.findNodeRun(nodeRunKey);
    const gone = { gone: vscode.l10n.t('The service no longer keeps this node run.') };
    if (run === undefined) return renderJson(gone, signal);
    return renderJson(describeNodeRun(await executions.readWholeValues(target, run, signal)), signal);
  }
}

/** Registers the documents of executions, with what leads from those of node runs to others. */
export function registerExecutionDocuments(
  deps: DocumentsDeps & Pick<App, 'commands' | 'connections' | 'selection'>,
  sources: DocumentSources,
): Disposable {
  const owned = new DisposableStore();
  const documents = owned.add(new ExecutionDocuments(deps, sources));
  owned.add(registerRunOutline(documents.followed, deps.connections));
  owned.add(registerNodeRunLenses(deps));
  owned.add(registerRevealNode(deps, documents.followed, sources.compared));
  owned.add(deps.executionDocuments.attach(documents));
  return owned;
}

function isLogOf(uri: vscode.Uri, target: ExecutionTarget): boolean {
  const address = executionAddress(uri);
  return address?.part === 'log' && executionName(address.target) === executionName(target);
}

/** True if the change may affect the document. Except for log and timeline, each reading costs a request, so parts that can't change are skipped. */
function isTouched(address: ExecutionAddress, change: ExecutionChange): boolean {
  const { target, part } = address;
  const other = comparedTargets(address)?.left;
  if (!isAbout(change, target) && (other === undefined || !isAbout(change, other))) return false;
  return change.kind === 'rows' ? part !== 'input' : part === 'log' || part === 'timeline';
}

/** JSON doesn't allow comments, so a small object represents an output that isn't ready. */
async function renderOutput(output: Output, signal: AbortSignal): Promise<string> {
  switch (output.kind) {
    case 'text':
      return output.text;
    case 'ready': {
      return renderJson(output.output ?? (output.error && { error: { ...output.error } }), signal);
    }
    case 'notReady': {
      const word = output.status === null ? '' : statusWord(output.status.state, output.status.word);
      const notReady = vscode.l10n.t("There's no output yet: the execution is {0}.", word);
      return renderJson({ notReady }, signal);
    }
  }
}

/** What matters first: how the node run ended and why, then what it received and returned. */
function describeNodeRun(run: NodeRun): JsonValue {
  return {
    status: run.status?.word ?? null,
    ...(run.error === null ? {} : { error: describeError(run.error) }),
    nodeName: run.nodeName,
    nodeId: run.nodeId,
    nodeType: run.nodeType,
    ...(run.iteration.length === 0 ? {} : { iteration: run.iteration }),
    ...(run.attempt === 1 ? {} : { attempt: run.attempt }),
    input: run.input ?? null,
    output: run.output ?? null,
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
