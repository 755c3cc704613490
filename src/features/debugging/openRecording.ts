// Reads what an execution recorded, beside the definition that it's stepped through in.
import * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { type JsonValue, parseJson } from '../../base/json.ts';
import { messageOf } from '../../base/reason.ts';
import type { Execution } from '../../domain/execution.ts';
import type { ValueName } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import { plainLine } from '../../base/format.ts';
import { baseName } from '../../editor/documents/documents.ts';
import type { LogFeed } from '../../model/log/logFeed.ts';
import { type IterationItem, iterationsAround, type RunItem } from '../../model/runs/runItems.ts';
import type { App } from '../../ui/app.ts';
import type { DefinitionDocument } from '../../ui/definitionTexts.ts';
import { requireWorkflowId } from '../../ui/workflowOf.ts';
import { workflowName } from '../../words/names.ts';
import { offerInCode } from '../../ui/expressions/codeOffers.ts';
import type { Offer } from '../../ui/expressions/offer.ts';
import type { CodePlace } from '../../ui/expressions/place.ts';
import { noValues, type ShownValues } from '../../ui/expressions/shownValues.ts';
import { ExpressionValues } from '../../ui/expressions/expressionValues.ts';
import { evaluateOwnExpression } from '../../ui/expressions/ownExpressions.ts';
import { readNamedValues, whyUnknown } from '../../ui/expressions/namedValues.ts';
import { readRecordedData, type RecordedData } from '../../ui/expressions/recordedData.ts';
import { scopeOf, seenOutput } from '../../ui/expressions/scopeSnapshot.ts';
import { truncatedValue } from '../../protocol/truncatedValue.ts';
import type { RecordedEvaluation, RecordedScope, RecordedSource, Recording } from './recording.ts';
import type { DefinitionText } from '../../definition/definitionText.ts';
import { positionOf } from '../../definition/jsonText.ts';
import { ifOffered } from '../../domain/errors.ts';
import type { RanNodes } from '../../model/workflows/ranDefinitions.ts';
import { ChangedNodes } from '../../ui/changedNodes.ts';

export type OpenRecordingDeps = RecordedSourceDeps &
  Pick<App, 'evaluator' | 'executions' | 'following' | 'workflows'>;

/** The rest of a log that is longer than what is read in one go comes by following, as for whoever opens it. */
export async function openRecording(
  deps: OpenRecordingDeps,
  target: ExecutionTarget,
  signal: AbortSignal,
): Promise<ServiceRecording> {
  const { executions, following } = deps;
  // When it was accepted decides what ran, and of a new one that is only known from the response until its record is read.
  const record = await executions.read(target, signal);
  const workflowId = requireWorkflowId(record);
  if (record.status.isTerminal) await following.readLog(target, signal);
  else following.follow(target);
  const workflow = { connectionId: target.connectionId, workflowId };
  const ran = await findRan(deps, workflow, record, signal);
  signal.throwIfAborted();
  return new ServiceRecording(deps, { target, workflow, record, ran });
}

interface Opened {
  readonly target: ExecutionTarget;
  readonly workflow: WorkflowTarget;
  readonly record: Execution;
  readonly ran: Ran;
}

class ServiceRecording implements Recording, Disposable {
  readonly #deps: OpenRecordingDeps;
  readonly #opened: Opened;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<void>());
  readonly #values: ExpressionValues;
  readonly #feed: LogFeed;
  /** How many items loops had, as far as that was asked. */
  readonly #itemCounts = new WeakMap<NodeRun, { readonly count: number | undefined }>();
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
    this.source = sourceOf(deps.definitionTexts, opened.ran);
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

  get goneRuns(): number {
    return this.#feed.goneRuns;
  }

  get hasEnded(): boolean {
    return !this.#deps.following.isFollowing(this.#opened.target);
  }

  get failure(): Error | undefined {
    const state = this.#deps.following.find(this.#opened.target)?.state.current;
    return state?.kind === 'failed' ? state.error : undefined;
  }

  async scopeOf(item: RunItem, signal: AbortSignal): Promise<RecordedScope> {
    const { iteration, outputs } = scopeOf(item);
    const { input } = this.#data();
    const nodes = [...outputs].map(([name, run]) => ({ name, value: seenOutput(run) ?? run.output }));
    if (iteration === null) return { input, nodes, loop: null };
    const itemOfLoop = await this.evaluate('item', item, signal);
    return {
      input,
      nodes,
      loop: { item: itemOfLoop.kind === 'value' ? itemOfLoop.value : undefined, index: iteration.index },
    };
  }

  async evaluate(expression: string, item: RunItem, signal: AbortSignal): Promise<RecordedEvaluation> {
    const { definitionTexts } = this.#deps;
    const { format } = definitionTexts.of(this.#opened.ran.document);
    const own = evaluateOwnExpression(format, expression, scopeOf(item));
    if (own !== undefined) return own;
    if (!this.runs.isNumbered) return { kind: 'failed', message: withoutIterations() };
    const message = whyUnknown(expression);
    if (message !== undefined) return { kind: 'failed', message };
    const known = { scope: scopeOf(item), data: this.#data() };
    try {
      const { executions } = this.#deps;
      const named = await readNamedValues(executions, this.#opened.target, expression, known, signal);
      const json = await this.#values.evaluate(expression, named.scope, named.data, signal);
      return { kind: 'value', value: parseJson(json) ?? null };
    } catch (error) {
      if (isAbortError(error)) throw error;
      return { kind: 'failed', message: plainLine(messageOf(error)) };
    }
  }

  async countIterations(iteration: IterationItem, signal: AbortSignal): Promise<number | undefined> {
    const { owner } = iteration;
    if (owner.kind === 'loop') return undefined;
    const { run, iterations } = owner;
    if (run.status?.state === 'completed') return (iterations?.members.at(-1)?.index ?? 0) + 1;
    const known = this.#itemCounts.get(run);
    if (known !== undefined) return known.count;
    const count = await this.#values.countItems(iteration, this.#data(), signal);
    this.#itemCounts.set(run, { count });
    return count;
  }

  async complete(
    code: string,
    cursor: number,
    item: RunItem,
    signal: AbortSignal,
  ): Promise<readonly Offer[]> {
    const definition = this.#deps.definitionTexts.of(this.#opened.ran.document);
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
    const { target, record, ran } = this.#opened;
    const current = executions.find(target) ?? record;
    const text = definitionTexts.of(ran.document);
    return readRecordedData(current, this.runs, new Map(), text, ran.nodes);
  }
}

/** Code that stands alone, outside of JSON. */
const plainCode: Pick<CodePlace, 'toSpan' | 'write'> = { toSpan: (part) => part, write: (code) => code };

function valuesIn({ scope }: RunItem, { input, nodes }: RecordedScope): ShownValues {
  const isWhole = (value: JsonValue | undefined): value is JsonValue =>
    value !== undefined && truncatedValue(value) === undefined;
  const outputs = nodes.flatMap(({ name, value }) => (isWhole(value) ? [[name, value] as const] : []));
  const iterations = iterationsAround(scope).flatMap(({ owner, index }) =>
    owner.kind === 'run' ? [[owner.run.nodeId, index] as const] : [],
  );
  return {
    ...noValues,
    input: isWhole(input) ? input : undefined,
    outputs: new Map(outputs),
    iterations: new Map(iterations),
  };
}

const withoutIterations = (): string =>
  vscode.l10n.t("The service doesn't say in which iteration a node ran, so nothing can be evaluated here.");

interface RecordedSourceDeps extends Pick<App, 'definitionTexts' | 'ranDefinitions'> {
  /** Opens the definition of a workflow. Rejects with a ServiceError. */
  readonly read: (target: WorkflowTarget) => Promise<DefinitionDocument>;
  /** Opens the definition that an execution ran. */
  readonly openRan: (target: ExecutionTarget) => Promise<DefinitionDocument>;
}

/** What an execution ran, and where it's stepped through. */
interface Ran {
  /** It may be edited meanwhile. */
  readonly document: DefinitionDocument;
  /** undefined if it isn't known. */
  readonly nodes: RanNodes | undefined;
}

/** Finds the definition of the workflow if it's what ran, or if it isn't known what did. Otherwise it's the one that ran. */
async function findRan(
  { definitionTexts, ranDefinitions, read, openRan }: RecordedSourceDeps,
  workflow: WorkflowTarget,
  record: Execution,
  signal: AbortSignal,
): Promise<Ran> {
  const reading = read(workflow);
  // The workflow may be deleted.
  const document = await ifOffered(reading);
  const nodes = (await ranDefinitions.read(workflow, record, signal))?.nodes;
  if (nodes === undefined) return { document: document ?? (await reading), nodes };
  if (document !== undefined && !isChanged(definitionTexts.of(document), nodes)) return { document, nodes };
  const target = { connectionId: workflow.connectionId, executionId: record.id };
  return { document: await openRan(target), nodes };
}

/** `changed`: keeps what was compared the last time. */
function isChanged({ byId }: DefinitionText, ran: RanNodes, changed = new ChangedNodes()): boolean {
  return byId.size !== ran.size || changed.find([...byId.values()], ran).size > 0;
}

/** The text as it is in the editor, also after a change. */
function sourceOf(definitionTexts: App['definitionTexts'], { document, nodes }: Ran): RecordedSource {
  const text = () => definitionTexts.of(document);
  const changed = new ChangedNodes();
  return {
    uri: document.uri.scheme === 'file' ? debuggedPath(document.uri) : document.uri.toString(),
    name: baseName(document.uri),
    get warning() {
      if (nodes !== undefined && isChanged(text(), nodes, changed))
        return vscode.l10n.t('The definition has changed since this execution');
      return nodes === undefined ? vscode.l10n.t('This may not be the definition that ran') : undefined;
    },
    lineOf: (nodeId) => {
      const node = text().byId.get(nodeId);
      return node && positionOf(text().text, node.label.offset).line - 1;
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

/** The editor writes the letter of a drive of Windows differently in breakpoints than in the path of a URI. */
function debuggedPath({ fsPath }: vscode.Uri): string {
  return fsPath.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}
