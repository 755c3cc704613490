// Reads what an execution recorded, beside the definition that it's stepped through in.
import * as vscode from 'vscode';
import { isAbortError } from '../../../base/async.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import { parseJson } from '../../../base/json.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { secretsRead } from '../../../definition/expressionPlaces.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { ValueName } from '../../../domain/nodeLog.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../../domain/targets.ts';
import { plainLine } from '../../../editor/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { LogFeed } from '../../../model/log/logFeed.ts';
import { iterationsAround, type RunItem } from '../../../model/runs/runItems.ts';
import type { App } from '../../../ui/app.ts';
import { workflowName } from '../../../ui/words/names.ts';
import { offerInCode } from '../completion/codeOffers.ts';
import type { Offer } from '../completion/offer.ts';
import type { CodePlace } from '../completion/place.ts';
import { noValues, type ShownValues } from '../completion/shownValues.ts';
import { ExpressionValues } from '../expressions/expressionValues.ts';
import { readNamedValues } from '../expressions/namedValues.ts';
import { readRecordedData, type RecordedData } from '../expressions/recordedData.ts';
import { scopeOf } from '../expressions/scopeSnapshot.ts';
import { ChangedNodes } from '../shownExecution/changedNodes.ts';
import { findRanNodes, type RanNodes } from '../shownExecution/ranDefinitions.ts';
import type { Evaluated, RecordedScope, RecordedSource, Recording } from './recording.ts';

export interface OpenRecordingDeps extends Pick<
  App,
  'definitionTexts' | 'evaluator' | 'executions' | 'following' | 'workflows'
> {
  /** Reads a definition into its document. */
  readonly read: (target: WorkflowTarget) => Promise<Document>;
  /** Opens the deployed definition beside the one in a document. */
  readonly openDeployed: (definition: vscode.Uri) => Promise<Document>;
}

/** The document of a definition, which may be edited meanwhile. */
type Document = Pick<vscode.TextDocument, 'getText' | 'uri' | 'version'>;

/** The rest of a log that is longer than what is read in one go comes by following, as for whoever opens it. */
export async function openRecording(
  deps: OpenRecordingDeps,
  target: ExecutionTarget,
  signal: AbortSignal,
): Promise<ServiceRecording> {
  const { executions, following, read } = deps;
  const record = await executions.get(target, signal);
  const { workflowId } = record;
  if (workflowId === null)
    throw new PlainError(vscode.l10n.t("The service doesn't say which workflow this execution is of."));
  if (record.status.isTerminal) await following.readLog(target, signal);
  else following.follow(target);
  const workflow = { connectionId: target.connectionId, workflowId };
  const draft = await read(workflow);
  const document = await findRanDocument(deps, { target, workflow, document: draft, record });
  signal.throwIfAborted();
  return new ServiceRecording(deps, { target, workflow, document, record });
}

/** The deployed definition if that is what ran and the draft differs from it by now, else the draft. */
async function findRanDocument(deps: OpenRecordingDeps, opened: Opened): Promise<Document> {
  const { document } = opened;
  const ran = findRan(deps, opened);
  const text = deps.definitionTexts.of(document);
  if (ran === undefined || !isChanged(text, ran)) return document;
  return deps.openDeployed(document.uri);
}

/** The nodes that ran; undefined if the service doesn't tell them. */
function findRan({ workflows }: OpenRecordingDeps, { workflow, record }: Opened): RanNodes | undefined {
  const known = record.kind === 'draft' ? undefined : workflows.find(workflow);
  return known && findRanNodes(known, record);
}

/** `changed`: keeps what was compared the last time. */
function isChanged({ byId }: DefinitionText, ran: RanNodes, changed = new ChangedNodes()): boolean {
  return byId.size !== ran.size || changed.find([...byId.values()], ran).size > 0;
}

interface Opened {
  readonly target: ExecutionTarget;
  readonly workflow: WorkflowTarget;
  readonly document: Document;
  readonly record: Execution;
}

class ServiceRecording implements Recording, Disposable {
  readonly #deps: OpenRecordingDeps;
  readonly #opened: Opened;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<void>());
  readonly #values: ExpressionValues;
  readonly #feed: LogFeed;
  readonly source: RecordedSource;
  readonly onDidChange = this.#changes.event;

  constructor(deps: OpenRecordingDeps, opened: Opened) {
    this.#deps = deps;
    this.#opened = opened;
    this.#values = new ExpressionValues(deps.evaluator);
    const { executions, following } = deps;
    const { connectionId, executionId } = opened.target;
    const kept = this.#owned.add(executions.keepLogs(opened.target));
    this.#feed = kept.feed;
    this.source = sourceOf(deps, opened);
    const isOwn = (other: ExecutionTarget): boolean =>
      other.connectionId === connectionId && other.executionId === executionId;
    this.#owned.add(
      executions.onDidChange((change) => {
        const isOfThis =
          change.kind === 'nodeRuns'
            ? isOwn(change.target)
            : change.kind === 'rows' &&
              change.connectionId === connectionId &&
              change.executionIds.includes(executionId);
        if (isOfThis) this.#changes.fire();
      }),
    );
    this.#owned.add(
      following.onDidChange(({ target }) => {
        if (isOwn(target)) this.#changes.fire();
      }),
    );
  }

  get workflowId(): string {
    return this.#opened.workflow.workflowId;
  }

  get name(): string {
    const { target, record } = this.#opened;
    return workflowName(this.#deps.workflows, target.connectionId, record.workflowId);
  }

  get runs() {
    return this.#feed.runTree;
  }

  get hasEnded(): boolean {
    const { executions, following } = this.#deps;
    const { target } = this.#opened;
    return executions.find(target)?.status.isTerminal === true && !following.isFollowing(target);
  }

  async scopeOf(item: RunItem, signal: AbortSignal): Promise<RecordedScope> {
    const { iteration, outputs } = scopeOf(item);
    const { input } = this.#data();
    const nodes = [...outputs].map(([name, { output }]) => ({ name, value: output }));
    if (iteration === null) return { input, nodes, loop: null };
    const itemOfLoop = await this.evaluate('item', item, signal);
    return {
      input,
      nodes,
      loop: { item: itemOfLoop.kind === 'value' ? itemOfLoop.value : undefined, index: iteration.index },
    };
  }

  async evaluate(expression: string, item: RunItem, signal: AbortSignal): Promise<Evaluated> {
    if (!this.runs.isNumbered) return { kind: 'failed', message: withoutIterations() };
    if (secretsRead(expression).length > 0) return { kind: 'failed', message: withoutSecrets() };
    const known = { scope: scopeOf(item), data: this.#data() };
    try {
      const { executions } = this.#deps;
      const named = await readNamedValues(executions, this.#opened.target, expression, known, signal);
      const json = await this.#values.evaluate(expression, named.scope, named.data, signal);
      return { kind: 'value', value: parseJson(json) ?? null };
    } catch (error) {
      if (isAbortError(error)) throw error;
      return { kind: 'failed', message: plainLine(error instanceof Error ? error.message : String(error)) };
    }
  }

  async complete(
    code: string,
    cursor: number,
    item: RunItem,
    signal: AbortSignal,
  ): Promise<readonly Offer[]> {
    const definition = this.#deps.definitionTexts.of(this.#opened.document);
    const node = definition.byId.get(item.run.nodeId);
    if (node === undefined) return [];
    const scope = await this.scopeOf(item, signal);
    const place = { definition, node, member: '', code, cursor, ...plainCode };
    return offerInCode({ kind: 'code', isOpened: false, ...place }, valuesIn(item, scope));
  }

  readWhole(run: NodeRun, name: ValueName, signal: AbortSignal) {
    return this.#deps.executions.readWholeValue(this.#opened.target, run, name, signal);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #data(): RecordedData {
    const { executions, definitionTexts } = this.#deps;
    const { target, document, record } = this.#opened;
    const current = executions.find(target) ?? record;
    const ran = findRan(this.#deps, this.#opened);
    return readRecordedData(current, this.runs, new Map(), definitionTexts.of(document), ran);
  }
}

/** Code that stands alone, outside of JSON. */
const plainCode: Pick<CodePlace, 'toSpan' | 'write'> = { toSpan: (part) => part, write: (code) => code };

function valuesIn({ scope }: RunItem, { input, nodes }: RecordedScope): ShownValues {
  const outputs = nodes.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
  const iterations = iterationsAround(scope).flatMap(({ owner, index }) =>
    owner.kind === 'run' ? [[owner.run.nodeId, index] as const] : [],
  );
  return { ...noValues, input, outputs: new Map(outputs), iterations: new Map(iterations) };
}

/** The text as it is in the editor, also after a change. */
function sourceOf(deps: OpenRecordingDeps, opened: Opened): RecordedSource {
  const { document } = opened;
  const text = () => deps.definitionTexts.of(document);
  const changed = new ChangedNodes();
  return {
    uri: document.uri.toString(),
    name: document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1),
    get warning() {
      const ran = findRan(deps, opened);
      if (ran === undefined) return vscode.l10n.t('This may not be the definition that ran');
      return isChanged(text(), ran, changed)
        ? vscode.l10n.t('The definition has changed since this execution')
        : undefined;
    },
    lineOf: (nodeId) => {
      const node = text().byId.get(nodeId);
      return node && lineAt(text().text, node.label.offset);
    },
    nodeAt: (line) => {
      const lines = text().text.split('\n');
      const start = lines.slice(0, line).reduce((length, each) => length + each.length + 1, 0);
      const found = lines[line] === undefined ? undefined : text().nodeAt(start);
      return found?.id;
    },
    hasNode: (nodeId) => text().byId.has(nodeId),
  };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

const withoutIterations = (): string =>
  vscode.l10n.t("The service doesn't say in which iteration a node ran, so nothing can be evaluated here.");
const withoutSecrets = (): string =>
  vscode.l10n.t(
    "An expression that reads a secret can't be evaluated here: only the service knows its value.",
  );
