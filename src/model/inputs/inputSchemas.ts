import { isAbortError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  numberText,
  typeOfJson,
} from '../../base/json.ts';
import { isWhole } from '../../base/jsonNumbers.ts';
import type { Logger } from '../../base/logger.ts';
import { isLacking } from '../../domain/errors.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';
import type { TriggerInput } from '../../domain/triggers.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { Workflows, WorkflowChange } from '../workflows/workflows.ts';
import { boundSchema, checksPerValue, offeredSchema } from './boundedSchema.ts';
import type { InputHistory } from './inputHistory.ts';
import { inputSchemaOf } from './inputText.ts';

export interface InputSchema {
  /** As the trigger declares it; one that allows everything for one that is too large. To check with it may take long. */
  readonly schema: JsonObject;
  readonly isTooLarge: boolean;
  /** The number of inputs it was learned from; null: the workflow's trigger declares it. */
  readonly learnedFrom: number | null;
  /** It says only what an input may have: any is taken. */
  readonly isOpen?: true;
  /** How many checks one value of a document may cost an editor at worst. */
  readonly checksPerValue: number;
}

export interface InputSchemasDeps {
  readonly workflows: Workflows;
  readonly history: InputHistory;
  readonly logger: Logger;
  /** What the kinds of triggers say, where none declares a schema. isOpen: any input is taken. */
  readonly schemaOfTriggers: (
    inputs: readonly TriggerInput[],
  ) => { readonly schema: JsonObject; readonly isOpen: boolean } | undefined;
}

/** The schema of each workflow's input, as declared by its trigger, given by the kinds of its triggers, or else learned from past inputs. */
export class InputSchemas implements Disposable {
  readonly #deps: InputSchemasDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<undefined>());
  readonly #found = new Map<string, Promise<InputSchema | undefined>>();
  readonly #known = new Map<string, InputSchema | undefined>();
  /** The workflows that couldn't be read but may be later. */
  readonly #failed = new Set<string>();
  /** Fires when schemas may have changed, or have been read. */
  readonly onDidChange: Event<undefined> = this.#changes.event;

  constructor(deps: InputSchemasDeps) {
    this.#deps = deps;
    const { history, workflows } = deps;
    this.#owned.add(history.onDidChange((target) => this.#forget((name) => name === targetName(target))));
    this.#owned.add(workflows.onDidChangeItems((change) => this.#forgetChanged(change)));
    this.#owned.add(workflows.state.onDidChange(({ status }) => status === 'loaded' && this.#forgetFailed()));
  }

  /** Returns the last known schema, without a request. */
  known(target: WorkflowTarget): InputSchema | undefined {
    return this.#known.get(targetName(target));
  }

  /**
   * Reads the workflow if its definition isn't loaded. Resolves with the same object until the schema changes. Never rejects: if reading
   * fails, the workflow counts as one that declares no schema until the list of workflows was read again.
   */
  find(target: WorkflowTarget): Promise<InputSchema | undefined> {
    const name = targetName(target);
    const earlier = this.#found.get(name);
    if (earlier !== undefined) return earlier;
    this.#failed.delete(name);
    const reading = this.#read(target).then((schema) => {
      const known = this.#known.get(name);
      if (this.#known.has(name) && isSameSchema(known, schema)) return known;
      if (this.#found.get(name) !== reading) return schema;
      this.#known.set(name, schema);
      this.#changes.fire(undefined);
      return schema;
    });
    this.#found.set(name, reading);
    return reading;
  }

  /** The same without a request: undefined also where the workflow's definition isn't loaded. */
  async findLoaded(target: WorkflowTarget): Promise<InputSchema | undefined> {
    const isLoaded =
      this.#found.has(targetName(target)) || this.#deps.workflows.find(target)?.hasDefinition === true;
    return isLoaded ? this.find(target) : undefined;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#found.clear();
    this.#known.clear();
  }

  async #read(target: WorkflowTarget): Promise<InputSchema | undefined> {
    const workflow = await this.#readWorkflow(target);
    const declared = workflow && inputSchemaOf(workflow);
    if (declared !== undefined) return bounded(declared, null);
    const byKind = this.#deps.schemaOfTriggers(workflow?.triggerInputs ?? []);
    if (byKind !== undefined && !byKind.isOpen) return bounded(byKind.schema, null);
    const inputs = this.#deps.history.read(target).map(({ input }) => input);
    const learned = learnSchema(inputs);
    if (learned === undefined) return byKind && { ...bounded(byKind.schema, null), isOpen: true };
    return bounded(byKind === undefined ? learned : { allOf: [learned, byKind.schema] }, inputs.length);
  }

  async #readWorkflow(target: WorkflowTarget): Promise<Workflow | undefined> {
    const { workflows, logger } = this.#deps;
    const held = workflows.find(target);
    if (held?.hasDefinition === true) return held;
    try {
      return await workflows.read(target);
    } catch (error) {
      if (!isAbortError(error)) logger.error('The schema of an input could not be read.', error);
      if (!isLacking(error)) this.#failed.add(targetName(target));
      return undefined;
    }
  }

  #forgetChanged(change: WorkflowChange): void {
    const { connectionId } = this.#deps.workflows.state.current;
    if (connectionId === null) return;
    const changed =
      change.kind === 'rows' &&
      new Set(change.workflowIds.map((workflowId) => targetName({ connectionId, workflowId })));
    this.#forget((name) => changed === false || changed.has(name));
  }

  /** Nobody is told: who asks next asks the service. */
  #forgetFailed(): void {
    for (const name of this.#failed) this.#found.delete(name);
    this.#failed.clear();
  }

  #forget(isGone: (name: string) => boolean): void {
    const gone = [...this.#found.keys()].filter(isGone);
    for (const name of gone) this.#found.delete(name);
    // Each time the editor asks for all lenses again, and until it has them they take no clicks.
    if (gone.length > 0) this.#changes.fire(undefined);
  }
}

function bounded(given: JsonObject, learnedFrom: number | null): InputSchema {
  const schema = boundSchema(given);
  const checks = 1 + checksPerValue(offeredSchema(schema));
  return { schema, isTooLarge: schema !== given, learnedFrom, checksPerValue: checks };
}

function isSameSchema(one: InputSchema | undefined, other: InputSchema | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.learnedFrom === other.learnedFrom && equalJson(one.schema, other.schema);
}

const maximumDepth = 8;
const maximumMembers = 100;
const maximumItems = 50;

interface Member {
  readonly shape: Shape;
  /** How many of the objects have it. */
  count: number;
}

/** The values seen at one place in the inputs. */
interface Shape {
  readonly types: Set<string>;
  objectCount: number;
  readonly members: Map<string, Member>;
  items: Shape | undefined;
}

/**
 * Describes what the inputs have in common: their types are united, a member that is missing once is optional, and any value is allowed.
 * Returns undefined without inputs.
 */
export function learnSchema(inputs: readonly JsonObject[]): JsonObject | undefined {
  if (inputs.length === 0) return undefined;
  const shape = newShape();
  for (const input of inputs) observe(shape, input, 0);
  return render(shape);
}

function newShape(): Shape {
  return { types: new Set(), objectCount: 0, members: new Map(), items: undefined };
}

function observe(shape: Shape, value: JsonValue, depth: number): void {
  shape.types.add(typeOf(value));
  if (depth >= maximumDepth) return;
  if (isJsonObject(value)) {
    shape.objectCount += 1;
    for (const [name, member] of Object.entries(value)) observeMember(shape, name, member, depth);
  } else if (isJsonArray(value)) {
    for (const item of value.slice(0, maximumItems)) observe((shape.items ??= newShape()), item, depth + 1);
  }
}

function observeMember({ members }: Shape, name: string, value: JsonValue, depth: number): void {
  const known = members.get(name);
  if (known === undefined && members.size >= maximumMembers) return;
  const member = known ?? { shape: newShape(), count: 0 };
  members.set(name, member);
  member.count += 1;
  observe(member.shape, value, depth + 1);
}

function typeOf(value: JsonValue): string {
  const type = typeOfJson(value);
  return type === 'number' && isWhole(numberText(value) ?? '') ? 'integer' : type;
}

function render({ types, objectCount, members, items }: Shape): JsonObject {
  const names = [...types].filter((type) => type !== 'integer' || !types.has('number')).sort();
  const [only] = names;
  const entries = [...members];
  const required = entries.filter(([, { count }]) => count === objectCount).map(([name]) => name);
  return {
    type: names.length === 1 && only !== undefined ? only : names,
    ...(entries.length === 0
      ? {}
      : { properties: Object.fromEntries(entries.map(([name, { shape }]) => [name, render(shape)])) }),
    ...(required.length === 0 ? {} : { required }),
    ...(items === undefined ? {} : { items: render(items) }),
  };
}
