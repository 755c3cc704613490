// People who edit one definition at once, and a ledger of every mark they made: a mark may only go when somebody who saw it gave it up.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/base/json.ts';
import type { DefinitionStore, SaveResult } from '../../../../src/model/workflows/definitionStore.ts';
import { mergeDefinitions } from '../../../../src/definition/mergeDefinitions.ts';
import type { WorkflowTarget } from '../../../../src/domain/targets.ts';

const marksIn = (value: JsonValue | undefined): readonly string[] =>
  JSON.stringify(value ?? null).match(/mark\d+/g) ?? [];

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];

/** What somebody who sees this definition does to it next, and the ledger of all that was ever written. */
export class Ledger {
  readonly #random: () => number;
  readonly #made = new Set<string>();
  readonly #givenUp = new Set<string>();

  constructor(random: () => number) {
    this.#random = random;
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  giveUp(value: JsonValue | undefined): void {
    for (const mark of marksIn(value)) this.#givenUp.add(mark);
  }

  /** An edit that never came to stand anywhere: its own marks count as given up by its author. */
  takeBack(changed: JsonObject, before: JsonObject): void {
    const earlier = new Set(marksIn(before));
    this.giveUp(marksIn(changed).filter((mark) => !earlier.has(mark)));
  }

  /** Changes one thing at random; what it replaces was seen and is given up. */
  edit(definition: JsonObject): JsonObject {
    const mark = `mark${this.#made.size}`;
    this.#made.add(mark);
    const nodes = listOf(definition['nodes']);
    const settings = isJsonObject(definition['settings']) ? definition['settings'] : {};
    const at = this.below(nodes.length);
    switch (this.below(5)) {
      case 0:
        this.giveUp(definition['description']);
        return { ...definition, description: mark };
      case 1: {
        const slot = `slot${this.below(4)}`;
        this.giveUp(settings[slot]);
        return { ...definition, settings: { ...settings, [slot]: mark } };
      }
      case 2:
        return { ...definition, nodes: nodes.toSpliced(at, 0, { id: mark }) };
      case 3:
        this.giveUp(nodes[at]?.['name']);
        return { ...definition, nodes: nodes.with(at, { ...nodes[at], name: mark }) };
      default:
        if (nodes.length < 2) return { ...definition, nodes: [...nodes, { id: mark }] };
        this.giveUp(nodes[at]);
        // The removal leaves a mark of its own, so that its loss would be seen as well.
        return {
          ...definition,
          nodes: nodes.toSpliced(at, 1),
          settings: { ...settings, [`removal${mark}`]: mark },
        };
    }
  }

  /** Every mark is in one of the places, or was given up. */
  check(places: readonly JsonObject[], title: string): void {
    const kept = new Set(places.flatMap(marksIn));
    const lost = [...this.#made].filter((mark) => !kept.has(mark) && !this.#givenUp.has(mark));
    assert.deepEqual(lost, [], title);
  }
}

function valueAt(definition: JsonObject, place: string): JsonValue | undefined {
  const [name = '', key] = place.split('.');
  const value = definition[name];
  if (key === undefined) return value;
  return isJsonObject(value) ? value[key] : listOf(value).find(({ id }) => id === key);
}

/** A window with the definition open: what it rests on, and what stands in it. */
export class EditingWindow {
  readonly #store: DefinitionStore;
  readonly #target: WorkflowTarget;
  readonly #ledger: Ledger;
  #base: JsonObject;
  #agreed: JsonObject | undefined;
  mine: JsonObject;

  constructor(store: DefinitionStore, target: WorkflowTarget, ledger: Ledger, base: JsonObject) {
    this.#store = store;
    this.#target = target;
    this.#ledger = ledger;
    this.#base = base;
    this.mine = base;
  }

  edit(): void {
    this.mine = this.#ledger.edit(this.mine);
  }

  /** An unchanged document shows what was changed elsewhere. */
  async refresh(): Promise<void> {
    if (this.mine !== this.#base) return;
    this.#rest((await this.#store.read(this.#target)).definition);
  }

  /** Saves; on a conflict the person decides at random, or presses Escape. */
  async save(): Promise<SaveResult['kind']> {
    const seen = this.#agreed === undefined ? [this.#base] : [this.#base, this.#agreed];
    const result = await this.#store.save(this.#target, this.mine, seen);
    if (result.kind === 'saved') {
      assert.deepEqual(result.notKept, []);
      this.#rest(result.now.definition);
    } else {
      this.#decide(result.theirs.definition);
    }
    return result.kind;
  }

  #rest(definition: JsonObject): void {
    this.#base = definition;
    this.mine = definition;
    this.#agreed = undefined;
  }

  #decide(theirs: JsonObject): void {
    const choice = this.#ledger.below(4);
    if (choice === 0) return;
    this.#agreed = theirs;
    if (choice === 1) {
      const mine = new Set(marksIn(this.mine));
      this.#ledger.giveUp(marksIn(theirs).filter((mark) => !mine.has(mark)));
    } else if (choice === 2) {
      const shown = new Set(marksIn(theirs));
      this.#ledger.giveUp(marksIn(this.mine).filter((mark) => !shown.has(mark)));
      this.mine = theirs;
    } else {
      const { definition, collisions } = mergeDefinitions(this.#base, this.mine, theirs);
      for (const place of collisions) this.#ledger.giveUp(valueAt(theirs, place));
      this.mine = definition;
    }
  }
}
