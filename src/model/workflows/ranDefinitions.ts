// Which definition an execution ran: as the service reports it, or as far as deployments and versions say.
import { BoundedMap } from '../../base/boundedMap.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { isJsonArray, isJsonObject, type JsonObject, stringifyJson } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time.ts';
import type { Purpose } from '../../domain/budget.ts';
import { type DefinitionFormat, definitionFormats } from '../../domain/definitionFormat.ts';
import { ifOffered } from '../../domain/errors.ts';
import type { Execution } from '../../domain/execution.ts';
import {
  executionName,
  type ExecutionTarget,
  targetName,
  type WorkflowTarget,
} from '../../domain/targets.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { Clients } from '../connections/clients.ts';
import { toDefinition } from './workflowDefinition.ts';
import type { Workflows } from './workflows.ts';

/** The nodes of a definition by their ids. */
export type RanNodes = ReadonlyMap<string, JsonObject>;

/** A definition that an execution ran. */
export interface RanDefinition {
  readonly definition: JsonObject;
  readonly nodes: RanNodes;
}

/** Returns undefined when its nodes have another shape. */
export function toRanDefinition(
  definition: JsonObject | null,
  format: DefinitionFormat,
): RanDefinition | undefined {
  const nodes = definition?.['nodes'];
  if (definition === null || !isJsonArray(nodes)) return undefined;
  const byId = nodes.flatMap((node) => {
    const id = isJsonObject(node) ? node[definitionFormats[format].idMember] : undefined;
    return isJsonObject(node) && typeof id === 'string' ? [[id, node] as const] : [];
  });
  return { definition, nodes: new Map(byId) };
}

export interface RanDefinitionsDeps {
  readonly clients: Pick<Clients, 'get' | 'has' | 'traits'>;
  readonly workflows: Pick<Workflows, 'find' | 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

type AskedExecution = Pick<Execution, 'id' | 'createdAt' | 'definitionVersion' | 'kind' | 'parent'>;

interface Asked {
  /** null: it isn't known, or it's being read. */
  readonly ran: RanDefinition | null;
  /** In epoch milliseconds, as it was known then: a new execution has this machine's own time until its record is read. */
  readonly createdAt: number | null;
  /** Of the definition as text, in characters. */
  readonly size: number;
}

/** How many characters of definitions are kept, and of how many executions it's known that theirs isn't. */
const maximumSize = 8 * 1024 * 1024;
const leastSize = 1024;
/** How long a workflow's executions aren't asked for again after that has failed, in milliseconds. */
const pauseMs = 60_000;
/** Of how many workflows that is remembered. */
const maximumFailures = 1000;
/** Services may report whole seconds only. */
const shortestMs = 1000;

/** What isn't reported is guessed only where it's sure; what was learned is kept when another definition is deployed. */
export class RanDefinitions implements Disposable {
  readonly #deps: RanDefinitionsDeps;
  readonly #owned = new DisposableStore();
  readonly #learned = this.#owned.add(new Emitter<ExecutionTarget>());
  /** Fires when it became known what an execution ran. */
  readonly onDidLearn = this.#learned.event;
  readonly #asked = new BoundedMap<string, Asked>(maximumSize, ({ size }) => size);
  readonly #guesses = new WeakMap<Workflow, ReadonlyMap<'draft' | 'deployed', RanDefinition>>();
  /** When a workflow whose read has failed may be read again, in epoch milliseconds. */
  readonly #againAt = new BoundedMap<string, number>(maximumFailures);
  readonly #ended = new AbortController();

  constructor(deps: RanDefinitionsDeps) {
    this.#deps = deps;
  }

  /** Sends no request. undefined: it isn't known. */
  find(workflow: WorkflowTarget, execution: AskedExecution): RanDefinition | undefined {
    const target = targetOf(workflow, execution);
    const known = this.findLearned(target);
    if (known !== undefined) return known;
    const record = this.#deps.workflows.find(workflow);
    return record && this.#guess(target, record, execution);
  }

  /** The same without a guess. */
  findLearned(target: ExecutionTarget): RanDefinition | undefined {
    return this.#asked.get(executionName(target))?.ran ?? undefined;
  }

  /** True where what the execution ran may differ from the draft as it's saved. */
  mayDiffer(target: WorkflowTarget, execution: AskedExecution): boolean {
    const workflow = this.#deps.workflows.find(target);
    if (workflow === undefined) return true;
    const { definitionVersion: version, parent } = execution;
    // A child may run what only the node that started it has.
    if (parent !== null && this.#isTold({ connectionId: target.connectionId })) return true;
    if (version !== null && workflow.draftVersion !== null) return version !== workflow.draftVersion;
    return (
      execution.kind === 'draft' ||
      workflow.hasUndeployedChanges === true ||
      wasRedeployedAfter(workflow, execution)
    );
  }

  /** Takes the definition that a draft execution runs. */
  note(target: ExecutionTarget, definition: JsonObject): void {
    const ran = toRanDefinition(definition, this.#formatOf(target));
    if (ran !== undefined) this.#keep(target, ran, null);
  }

  /**
   * Asks once for each execution; after a failure also another time, but not at once for any execution of the workflow. Nobody waits for
   * that, so a failure is only logged.
   */
  async learn(workflow: WorkflowTarget, execution: AskedExecution): Promise<void> {
    const target = targetOf(workflow, execution);
    const name = executionName(target);
    const known = this.#asked.get(name);
    const createdAt = execution.createdAt?.getTime() ?? null;
    const againAt = this.#againAt.get(targetName(workflow)) ?? -Infinity;
    const isAsked = known !== undefined && (this.#isTold(target) || known.createdAt === createdAt);
    if (known?.ran || isAsked || this.#deps.clock.now() < againAt) return;
    const record = this.#deps.workflows.find(workflow);
    const sure = record && this.#ofVersion(target, record, execution);
    if (sure !== undefined) {
      this.#keep(target, sure, createdAt);
      return;
    }
    this.#asked.set(name, { ran: null, createdAt, size: leastSize });
    const { signal } = this.#ended;
    try {
      const ran = await this.#read(workflow, execution, { signal, purpose: 'definitions' });
      if (ran !== undefined) this.#keep(target, ran, createdAt);
    } catch (error) {
      // Somebody else may have learned it meanwhile.
      if (this.#asked.get(name)?.ran === null) this.#asked.delete(name);
      this.#againAt.set(targetName(workflow), this.#deps.clock.now() + pauseMs);
      if (!signal.aborted)
        this.#deps.logger.warn(`What ran of ${workflow.workflowId} could not be read: ${String(error)}`);
    }
  }

  /**
   * Reads it unless it's known, for somebody who waits for it. Where the service doesn't say, the workflow isn't read again. Resolves with
   * undefined where it can't be known. Rejects with a ServiceError.
   */
  async read(
    workflow: WorkflowTarget,
    execution: AskedExecution,
    signal?: AbortSignal,
  ): Promise<RanDefinition | undefined> {
    const target = targetOf(workflow, execution);
    const known = this.findLearned(target);
    if (known !== undefined) return known;
    const record = this.#deps.workflows.find(workflow);
    const isAtHand = record?.hasDefinition === true && !this.#isTold(target);
    const ran = isAtHand
      ? this.#guess(target, record, execution)
      : ((record && this.#ofVersion(target, record, execution)) ??
        (await this.#read(workflow, execution, { signal, purpose: 'asked' })));
    if (ran !== undefined) this.#keep(target, ran, execution.createdAt?.getTime() ?? null);
    return ran;
  }

  dispose(): void {
    this.#ended.abort();
    this.#owned.dispose();
  }

  #keep(target: ExecutionTarget, ran: RanDefinition, createdAt: number | null): void {
    const size = leastSize + stringifyJson(ran.definition).length;
    this.#asked.set(executionName(target), { ran, createdAt, size });
    this.#learned.fire(target);
  }

  async #read(
    workflow: WorkflowTarget,
    execution: AskedExecution,
    options: { readonly signal: AbortSignal | undefined; readonly purpose: Purpose },
  ): Promise<RanDefinition | undefined> {
    const target = targetOf(workflow, execution);
    if (this.#isTold(target)) {
      const { executions } = this.#deps.clients.get(target.connectionId);
      const definition = await ifOffered(executions.definition(execution.id, options));
      return toRanDefinition(definition ?? null, this.#formatOf(target));
    }
    if (this.#guessesNothing(execution)) return undefined;
    const read = await this.#deps.workflows.read(workflow, options.signal, options.purpose);
    return this.#guess(target, read, execution);
  }

  #isTold({ connectionId }: { readonly connectionId: string }): boolean {
    const { clients } = this.#deps;
    return clients.has(connectionId) && clients.get(connectionId).capabilities.current.has('definition');
  }

  #formatOf({ connectionId }: { readonly connectionId: string }): DefinitionFormat {
    return this.#deps.clients.traits(connectionId).definitionFormat;
  }

  #guessesNothing({ kind, createdAt, definitionVersion }: AskedExecution): boolean {
    return definitionVersion === null && (kind === 'draft' || createdAt === null);
  }

  /** The one with the same version; without versions, the deployed one if it was deployed before the execution was accepted. */
  #guess(target: ExecutionTarget, workflow: Workflow, execution: AskedExecution): RanDefinition | undefined {
    const { definitionVersion: version, kind, createdAt } = execution;
    const { deployedAt } = workflow;
    if (version !== null) return this.#ofVersion(target, workflow, execution);
    if (kind === 'draft' || deployedAt === null || createdAt === null || deployedAt > createdAt)
      return undefined;
    return this.#definitionOf(target, workflow, 'deployed');
  }

  /** The one that the execution names, if the workflow's record has it. */
  #ofVersion(
    target: ExecutionTarget,
    workflow: Workflow,
    { definitionVersion: version, parent }: AskedExecution,
  ): RanDefinition | undefined {
    const { draftVersion, deployedVersion } = workflow;
    // A child may run what only the node that started it has.
    if (version === null || parent !== null) return undefined;
    if (version === deployedVersion) return this.#definitionOf(target, workflow, 'deployed');
    return version === draftVersion ? this.#definitionOf(target, workflow, 'draft') : undefined;
  }

  /** The same for the same record. */
  #definitionOf(
    target: ExecutionTarget,
    workflow: Workflow,
    which: 'draft' | 'deployed',
  ): RanDefinition | undefined {
    let known = this.#guesses.get(workflow);
    if (known === undefined) {
      const format = this.#formatOf(target);
      const deployed = toRanDefinition(workflow.deployedDefinition, format);
      const draft = toRanDefinition(toDefinition(workflow), format);
      known = new Map([
        ...(deployed === undefined ? [] : [['deployed', deployed] as const]),
        ...(draft === undefined ? [] : [['draft', draft] as const]),
      ]);
      this.#guesses.set(workflow, known);
    }
    return known.get(which);
  }
}

function targetOf({ connectionId }: WorkflowTarget, { id }: AskedExecution): ExecutionTarget {
  return { connectionId, executionId: id };
}

/** True if the workflow was deployed after the execution was accepted, so that another definition may have run. */
export function wasRedeployedAfter(
  { deployedAt }: Pick<Workflow, 'deployedAt'>,
  { createdAt }: Pick<Execution, 'createdAt'>,
): boolean {
  return (
    deployedAt !== null && createdAt !== null && deployedAt.getTime() - createdAt.getTime() >= shortestMs
  );
}
