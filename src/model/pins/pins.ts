// Outputs and answers that the next draft execution takes instead of running a node, kept in the workspace's state.
import * as v from 'valibot';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type JsonValue, parseJson, stringifyJson } from '../../base/json.ts';
import { maskKeys } from '../../base/masking.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';
import { decodeStoredList, type StatePort } from '../ports.ts';

const entryName = 'pins';
/** In UTF-16 units of JSON. */
const maximumLength = 128 * 1024;
const maximumTotal = 384 * 1024;

export const pinKinds = ['output', 'answers'] as const;
export type PinKind = (typeof pinKinds)[number];

const StoredSchema = v.object({
  connectionId: v.string(),
  workflowId: v.string(),
  nodeId: v.string(),
  kind: v.optional(v.picklist(pinKinds), 'output'),
  /** JSON. */
  text: v.string(),
});
type StoredPin = v.InferOutput<typeof StoredSchema>;

/** What a node gets in draft executions: its output instead of running, or the answers to its HTTP request instead of sending it. */
export interface Pin {
  readonly nodeId: string;
  readonly kind: PinKind;
  readonly value: JsonValue;
}

interface HeldPin extends Pin {
  readonly target: WorkflowTarget;
  /** Its length as JSON. */
  readonly length: number;
}

/** "tooLarge": the value has more than 128 Ki characters. "full": all pins together would have more than 384 Ki. Nothing was stored then. */
export type PinResult = 'pinned' | 'keysMasked' | 'tooLarge' | 'full';

/** The pins of this workspace, by workflow and node. Keys are masked in them. */
export class Pins implements Disposable {
  readonly #state: StatePort;
  readonly #keyPrefix: () => string;
  readonly #changes = new Emitter<WorkflowTarget>();
  /** Fires with the workflow whose pins have changed. */
  readonly onDidChange: Event<WorkflowTarget> = this.#changes.event;
  /** By workflow, then by node id. */
  #known: Map<string, Map<string, HeldPin>> | undefined;

  /** `keyPrefix` returns the current prefix of keys. */
  constructor(state: StatePort, keyPrefix: () => string) {
    this.#state = state;
    this.#keyPrefix = keyPrefix;
  }

  /** In the order in which they were pinned first. */
  list(target: WorkflowTarget): readonly Pin[] {
    return [...(this.#held.get(targetName(target))?.values() ?? [])];
  }

  find(target: WorkflowTarget, nodeId: string): Pin | undefined {
    return this.#held.get(targetName(target))?.get(nodeId);
  }

  /** In place of what the node has. */
  async set(
    target: WorkflowTarget,
    nodeId: string,
    value: JsonValue,
    kind: PinKind = 'output',
  ): Promise<PinResult> {
    const text = stringifyJson(value);
    const masked = maskKeys(text, this.#keyPrefix());
    const { length } = masked;
    if (length > maximumLength) return 'tooLarge';
    const before = this.#held.get(targetName(target))?.get(nodeId)?.length ?? 0;
    if (this.#total - before + length > maximumTotal) return 'full';
    const { connectionId, workflowId } = target;
    const kept = masked === text ? value : (parseJson(masked) ?? null);
    this.#hold({ target: { connectionId, workflowId }, nodeId, kind, value: kept, length });
    await this.#store(target);
    return masked === text ? 'pinned' : 'keysMasked';
  }

  /** Gives the pin of a node to the node's other id. A pin that is there already, of a node that's gone, changes places with it. */
  async move(target: WorkflowTarget, from: string, to: string): Promise<void> {
    const pins = this.#held.get(targetName(target));
    const moved = pins?.get(from);
    if (pins === undefined || moved === undefined) return;
    const others = new Map([
      [from, to],
      [to, from],
    ]);
    const placed = [...pins.values()].map((pin) => {
      const nodeId = others.get(pin.nodeId);
      return nodeId === undefined ? pin : { ...pin, nodeId };
    });
    this.#held.set(targetName(target), new Map(placed.map((pin) => [pin.nodeId, pin])));
    await this.#store(target);
  }

  /** Doesn't fail if there's no pin. */
  async remove(target: WorkflowTarget, nodeIds: readonly string[]): Promise<void> {
    const pins = this.#held.get(targetName(target));
    const isRemoved = nodeIds.map((nodeId) => pins?.delete(nodeId) === true);
    if (isRemoved.includes(true)) await this.#store(target);
  }

  /** Removes the pins of a workflow that was deleted, or of all workflows of a connection that was removed. */
  async forget({
    connectionId,
    workflowId,
  }: {
    readonly connectionId: string;
    readonly workflowId?: string;
  }) {
    for (const [name, pins] of this.#held) {
      const [target] = [...pins.values()].map((pin) => pin.target);
      if (target?.connectionId !== connectionId) continue;
      if (workflowId !== undefined && target.workflowId !== workflowId) continue;
      this.#held.delete(name);
      await this.#store(target);
    }
  }

  dispose(): void {
    this.#changes.dispose();
  }

  get #held(): Map<string, Map<string, HeldPin>> {
    if (this.#known !== undefined) return this.#known;
    this.#known = new Map();
    for (const { text, nodeId, kind, ...target } of decodeStoredList(
      this.#state.get(entryName),
      StoredSchema,
    )) {
      const value = parseJson(text);
      if (value !== undefined) this.#hold({ target, nodeId, kind, value, length: text.length });
    }
    return this.#known;
  }

  get #all(): readonly HeldPin[] {
    return [...this.#held.values()].flatMap((pins) => [...pins.values()]);
  }

  get #total(): number {
    return this.#all.reduce((total, { length }) => total + length, 0);
  }

  #hold(pin: HeldPin): void {
    const name = targetName(pin.target);
    const pins = this.#held.get(name) ?? new Map<string, HeldPin>();
    this.#held.set(name, pins.set(pin.nodeId, pin));
  }

  async #store(changed: WorkflowTarget): Promise<void> {
    this.#changes.fire(changed);
    const stored = this.#all.map(({ target, nodeId, kind, value }): StoredPin => ({
      ...target,
      nodeId,
      kind,
      text: stringifyJson(value),
    }));
    await this.#state.set(entryName, stored.length === 0 ? undefined : stored);
  }
}
