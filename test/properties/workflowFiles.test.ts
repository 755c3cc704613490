// Whatever two clones and a service are edited to, and whenever a process ends: no pull and no push loses what anybody wrote, and nothing is there
// twice.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isJsonArray, isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { isServiceError } from '../../src/domain/errors.ts';
import type { Decision } from '../../src/workflowFiles/plan.ts';
import { Killed, Life } from '../support/memory/filesFolder.ts';
import { tries } from '../support/properties.ts';
import {
  Clone,
  connectDuring,
  createRemote,
  definitionOf,
  nameOf,
  type Remote,
  textOf,
} from '../workflowFiles/filesWorld.ts';

type Step =
  | { readonly kind: 'edit' | 'add' | 'rename'; readonly clone: number; readonly which: number }
  | { readonly kind: 'editThere' | 'addThere' | 'deleteThere'; readonly which: number }
  | { readonly kind: 'pull' | 'push'; readonly clone: number; readonly moments: number | null };

const clone = fc.nat(1);
const which = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('edit' as const, 'add' as const, 'rename' as const), clone, which }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('editThere' as const, 'addThere' as const), which }),
  },
  fc.record({ kind: fc.constant('deleteThere' as const), which }),
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('pull' as const, 'push' as const),
      clone,
      moments: fc.option(fc.nat(40)),
    }),
  },
);

/** What was written into it, each edit one mark. */
function marksOf(definition: JsonObject): ReadonlySet<string> {
  const { settings = null } = definition;
  const marks = isJsonObject(settings) ? (settings['marks'] ?? null) : null;
  return new Set((isJsonArray(marks) ? marks : []).map(String));
}

class History {
  readonly #remote: Remote;
  readonly #clones: readonly [Clone, Clone];
  #marks = 0;

  constructor(remote: Remote) {
    this.#remote = remote;
    this.#clones = [new Clone(remote.model), new Clone(remote.model)];
  }

  #marked(definition: JsonObject): JsonObject {
    this.#marks += 1;
    const marks = [...marksOf(definition), String(this.#marks)];
    return { ...definition, settings: { marks } };
  }

  #new(): JsonObject {
    return this.#marked(definitionOf(`W${this.#marks}`));
  }

  #filesOf(one: Clone): readonly string[] {
    return [...one.folder.files.keys()].filter((path) => path.endsWith('.workflow.json')).sort();
  }

  async #there(): Promise<ReadonlyMap<string, JsonObject>> {
    const { workflows, connectionId } = this.#remote.model;
    const { signal } = new AbortController();
    const rows = await workflows.listWhole(connectionId, { limit: 1000, signal });
    const read = rows.map(async ({ id }) => [id, await this.#remote.read(id)] as const);
    return new Map((await Promise.all(read)).sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** The marks of each file and each workflow, by where it is. */
  async #sides(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const sides = new Map<string, ReadonlySet<string>>();
    for (const [id, definition] of await this.#there()) sides.set(id, marksOf(definition));
    for (const [index, one] of this.#clones.entries())
      for (const file of this.#filesOf(one))
        sides.set(`${index} ${file}`, marksOf(one.definition(file) ?? assert.fail(`${file} isn't whole`)));
    return sides;
  }

  async take(given: Step): Promise<void> {
    switch (given.kind) {
      case 'add': {
        const definition = this.#new();
        this.#cloneOf(given.clone).write(`${nameOf(definition)}.workflow.json`, definition);
        return;
      }
      case 'edit': {
        const one = this.#cloneOf(given.clone);
        const files = this.#filesOf(one);
        const file = files[given.which % Math.max(1, files.length)];
        const definition = file === undefined ? undefined : one.definition(file);
        if (file !== undefined && definition !== undefined)
          one.folder.files.set(file, textOf(this.#marked(definition)));
        return;
      }
      case 'rename': {
        const { folder } = this.#cloneOf(given.clone);
        const files = this.#filesOf(this.#cloneOf(given.clone));
        const from = files[given.which % Math.max(1, files.length)];
        if (from === undefined) return;
        this.#marks += 1;
        folder.files.set(
          `${given.which % 2 === 0 ? '' : 'flows/'}R${this.#marks}.workflow.json`,
          folder.files.get(from) ?? '',
        );
        folder.files.delete(from);
        return;
      }
      case 'addThere':
        await this.#remote.create(this.#new());
        return;
      case 'editThere':
      case 'deleteThere': {
        const there = [...(await this.#there())];
        const [id, definition] = there[given.which % Math.max(1, there.length)] ?? [];
        if (id === undefined || definition === undefined) return;
        if (given.kind === 'deleteThere') await this.#remote.delete(id);
        else await this.#remote.change(id, this.#marked(definition));
        return;
      }
      default:
        await this.#run(given);
    }
  }

  #cloneOf(index: number): Clone {
    return this.#clones[index] ?? this.#clones[0];
  }

  /** What a pull or a push without a decision changes has all that was there before. */
  async #run({ kind, clone: index, moments }: Extract<Step, { readonly moments: unknown }>): Promise<void> {
    const before = await this.#sides();
    await this.#live(kind, index, moments ?? Infinity);
    const after = await this.#sides();
    for (const [place, marks] of before) {
      const now = after.get(place) ?? assert.fail(`${place} is gone after a ${kind}`);
      for (const mark of marks) assert.ok(now.has(mark), `${place} lost the change ${mark} in a ${kind}`);
    }
    await this.#requireOnce();
  }

  async #live(kind: 'pull' | 'push', index: number, moments: number, decision?: Decision): Promise<void> {
    const life = new Life(moments);
    const model = await connectDuring(this.#remote.service, life);
    try {
      await this.#cloneOf(index).restarted(model, life)[kind]({ decision });
    } catch (error) {
      if (!life.hasEnded || !(error instanceof Killed || isServiceError(error))) throw error;
    } finally {
      model.dispose();
    }
  }

  /** Names are given once, so each is there once, and is one file of a clone. */
  async #requireOnce(): Promise<void> {
    const names = await this.#remote.names();
    assert.deepEqual(names, [...new Set(names)]);
    for (const one of this.#clones) {
      const files = this.#filesOf(one).map((file) => one.definition(file)?.['name']);
      assert.deepEqual(files, [...new Set(files)]);
    }
  }

  /** Decides everything, until both clones are the same as the service. */
  async resolve(): Promise<void> {
    await this.#live('push', 0, Infinity, 'mine');
    await this.#live('pull', 0, Infinity);
    await this.#live('pull', 1, Infinity, 'theirs');
    await this.#live('push', 1, Infinity, 'theirs');
    await this.#live('pull', 0, Infinity, 'theirs');
    for (const one of this.#clones) {
      const states = await one.states();
      assert.deepEqual(
        new Set(Object.values(states)),
        new Set(Object.keys(states).length > 0 ? ['same'] : []),
      );
    }
    await this.#requireOnce();
  }
}

describe('workflows as files', function () {
  this.timeout(300_000);

  it('lose nothing and double nothing, and are the same once all is decided', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
        const remote = await createRemote();
        try {
          const history = new History(remote);
          for (const each of steps) await history.take(each);
          await history.resolve();
        } finally {
          await remote.dispose();
        }
      }),
      tries(60),
    ));
});
