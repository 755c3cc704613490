// Whatever two clones and a service are edited to, and whenever a process ends: no pull and no push loses what anybody wrote, and nothing is there
// twice.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isJsonArray, isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { isServiceError } from '../../src/domain/errors.ts';
import type { Decision } from '../../src/workflowFiles/plan.ts';
import { Killed, Life, MemoryFolder } from '../support/memory/filesFolder.ts';
import { tries } from '../support/properties.ts';
import {
  Clone,
  connectDuring,
  createRemote,
  definitionOf,
  nameOf,
  promote,
  type Remote,
  textOf,
  workflowsText,
} from '../workflowFiles/filesWorld.ts';

type Kind = 'pull' | 'push' | 'promote';

type Step =
  | { readonly kind: 'edit' | 'add' | 'rename'; readonly clone: number; readonly which: number }
  | {
      readonly kind: 'editThere' | 'addThere' | 'deleteThere';
      readonly service: number;
      readonly which: number;
    }
  | {
      readonly kind: Kind;
      readonly clone: number;
      readonly service: number;
      readonly moments: number | null;
    };

const clone = fc.nat(1);
const which = fc.nat(5);

/** Two clones of one service, or of two. A workflow deleted on one of two services and still on the other may come back from there. */
function stepsOn(services: number): fc.Arbitrary<Step> {
  const service = fc.nat(services - 1);
  const there = ['editThere', 'addThere', ...(services === 1 ? (['deleteThere'] as const) : [])] as const;
  const kinds = ['pull', 'push', ...(services === 2 ? (['promote'] as const) : [])] as const;
  return fc.oneof(
    fc.record({ kind: fc.constantFrom('edit' as const, 'add' as const, 'rename' as const), clone, which }),
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom(...there), service, which }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom(...kinds),
        clone,
        service,
        moments: fc.option(fc.nat(40)),
      }),
    },
  );
}

/** What was written into it, each edit one mark. */
function marksOf(definition: JsonObject): ReadonlySet<string> {
  const { settings = null } = definition;
  const marks = isJsonObject(settings) ? (settings['marks'] ?? null) : null;
  return new Set((isJsonArray(marks) ? marks : []).map(String));
}

const environments = ['test', 'live'] as const;

class History {
  readonly #remotes: readonly Remote[];
  readonly #folders = [0, 1].map(() => new MemoryFolder([['workflows.json', workflowsText()]]));
  #marks = 0;

  constructor(remotes: readonly Remote[]) {
    this.#remotes = remotes;
  }

  #marked(definition: JsonObject): JsonObject {
    this.#marks += 1;
    const marks = [...marksOf(definition), String(this.#marks)];
    return { ...definition, settings: { marks } };
  }

  #new(): JsonObject {
    return this.#marked(definitionOf(`W${this.#marks}`));
  }

  #remoteOf(service: number): Remote {
    return this.#remotes[service] ?? assert.fail();
  }

  /** A clone, with one of the services. */
  #cloneOf(index: number, service = 0): Clone {
    return new Clone(this.#remoteOf(service).model, this.#folders[index], environments[service]);
  }

  #filesOf(index: number): readonly string[] {
    const { files } = this.#cloneOf(index).folder;
    return [...files.keys()].filter((path) => path.endsWith('.workflow.json')).sort();
  }

  #fileOf(index: number, which: number): string | undefined {
    const files = this.#filesOf(index);
    return files[which % Math.max(1, files.length)];
  }

  async #there(service: number): Promise<ReadonlyMap<string, JsonObject>> {
    const remote = this.#remoteOf(service);
    const { model } = remote;
    const { signal } = new AbortController();
    const rows = await model.workflows.listWhole(model.connectionId, { limit: 1000, signal });
    const definitions = await Promise.all(rows.map(async ({ id }) => [id, await remote.read(id)] as const));
    return new Map(definitions.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** The marks of each file and each workflow, by where it is. */
  async #sides(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const sides = new Map<string, ReadonlySet<string>>();
    for (const service of this.#remotes.keys())
      for (const [id, definition] of await this.#there(service)) sides.set(id, marksOf(definition));
    for (const index of this.#folders.keys())
      for (const file of this.#filesOf(index)) {
        const definition = this.#cloneOf(index).definition(file) ?? assert.fail(`${file} isn't whole`);
        sides.set(`${index} ${file}`, marksOf(definition));
      }
    return sides;
  }

  async take(given: Step): Promise<void> {
    switch (given.kind) {
      case 'add': {
        const definition = this.#new();
        this.#cloneOf(given.clone).write(`${nameOf(definition)}.workflow.json`, definition);
        return;
      }
      case 'edit':
      case 'rename':
        this.#changeFile(given.kind, given.clone, this.#fileOf(given.clone, given.which));
        return;
      case 'addThere':
        await this.#remoteOf(given.service).create(this.#new());
        return;
      case 'editThere':
      case 'deleteThere': {
        const there = [...(await this.#there(given.service))];
        const [id, definition] = there[given.which % Math.max(1, there.length)] ?? [];
        if (id === undefined || definition === undefined) return;
        const remote = this.#remoteOf(given.service);
        if (given.kind === 'deleteThere') await remote.delete(id);
        else await remote.change(id, this.#marked(definition));
        return;
      }
      default:
        await this.#run(given);
    }
  }

  #changeFile(how: 'edit' | 'rename', index: number, file: string | undefined): void {
    const { folder } = this.#cloneOf(index);
    const definition = file === undefined ? undefined : this.#cloneOf(index).definition(file);
    if (file === undefined || definition === undefined) return;
    if (how === 'edit') folder.files.set(file, textOf(this.#marked(definition)));
    else {
      this.#marks += 1;
      const to = `${this.#marks % 2 === 0 ? '' : 'flows/'}R${this.#marks}.workflow.json`;
      folder.files.set(to, folder.files.get(file) ?? '');
      folder.files.delete(file);
    }
  }

  /** What a pull, a push or a promotion without a decision changes has all that was there before. */
  async #run(given: Extract<Step, { readonly moments: unknown }>): Promise<void> {
    const before = await this.#sides();
    await this.#live(given.kind, given.clone, given.service, { moments: given.moments ?? Infinity });
    const after = await this.#sides();
    for (const [place, marks] of before) {
      const now = after.get(place) ?? assert.fail(`${place} is gone after a ${given.kind}`);
      for (const mark of marks)
        assert.ok(now.has(mark), `${place} lost the change ${mark} in a ${given.kind}`);
    }
    await this.#requireOnce();
  }

  /** A promotion is to the service, from the other one. */
  async #live(
    kind: Kind,
    index: number,
    service: number,
    { moments = Infinity, decision }: { readonly moments?: number; readonly decision?: Decision } = {},
  ): Promise<void> {
    const life = new Life(moments);
    const model = await connectDuring(this.#remoteOf(service).service, life);
    const { folder } = this.#cloneOf(index);
    try {
      if (kind === 'promote') {
        const from = { name: environments[1 - service] ?? '', service: this.#remoteOf(1 - service).model };
        const to = { name: environments[service] ?? '', service: model };
        await promote(folder.of(life), { from, to }, { decision });
      } else await this.#cloneOf(index, service).restarted(model, life)[kind]({ decision });
    } catch (error) {
      if (!life.hasEnded || !(error instanceof Killed || isServiceError(error))) throw error;
    } finally {
      model.dispose();
    }
  }

  /** Names are given once, so each is there once, and is one file of a clone. */
  async #requireOnce(): Promise<void> {
    for (const remote of this.#remotes) {
      const names = await remote.names();
      assert.deepEqual(names, [...new Set(names)]);
    }
    for (const index of this.#folders.keys()) {
      const files = this.#filesOf(index).map((file) => this.#cloneOf(index).definition(file)?.['name']);
      assert.deepEqual(files, [...new Set(files)]);
    }
  }

  /** Decides everything, until both clones are the same as each service. */
  async resolve(): Promise<void> {
    const services = [...this.#remotes.keys()];
    // The first clone gets what each service has, keeps its own, and gives it to all.
    for (const service of services) {
      await this.#live('push', 0, service, { decision: 'mine' });
      await this.#live('pull', 0, service);
      await this.#live('pull', 1, service, { decision: 'theirs' });
      await this.#live('push', 1, service, { decision: 'theirs' });
      await this.#live('pull', 0, service, { decision: 'theirs' });
    }
    if (services.length > 1)
      for (const service of services) {
        await this.#live('push', 0, service, { decision: 'mine' });
        await this.#live('pull', 1, service, { decision: 'theirs' });
      }
    for (const service of services)
      for (const index of this.#folders.keys()) {
        const states = Object.values(await this.#cloneOf(index, service).states());
        assert.deepEqual(new Set(states), new Set(states.length > 0 ? ['same'] : []));
      }
    await this.#requireOnce();
  }
}

describe('workflows as files', function () {
  this.timeout(300_000);

  for (const [services, what] of [
    [1, 'two clones of one service'],
    [2, 'two clones of two services'],
  ] as const)
    it(`of ${what} lose nothing and double nothing, and are the same once all is decided`, () =>
      fc.assert(
        fc.asyncProperty(fc.array(stepsOn(services), { minLength: 3, maxLength: 20 }), async (steps) => {
          const remotes = await Promise.all(Array.from({ length: services }, () => createRemote()));
          try {
            const history = new History(remotes);
            for (const each of steps) await history.take(each);
            await history.resolve();
          } finally {
            for (const remote of remotes) await remote.dispose();
          }
        }),
        tries(60),
      ));
});
