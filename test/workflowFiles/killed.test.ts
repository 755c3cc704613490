// A process that ends at any moment of a push or a pull, and the next one that goes on.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { isServiceError } from '../../src/domain/errors.ts';
import { Killed, Life } from '../support/memory/filesFolder.ts';
import { Clone, connectDuring, createRemote, definitionOf, nameOf, type Remote } from './filesWorld.ts';

const names = ['A', 'B', 'C'];
const fileOf = (name: string): string => `${name}.workflow.json`;

/** What a process does until it ends, on its own or not. Returns whether it came to its end. */
async function live(clone: Clone, remote: Remote, life: Life, kind: 'pull' | 'push'): Promise<boolean> {
  const model = await connectDuring(remote.service, life);
  try {
    await clone.restarted(model, life)[kind]({ deploys: true });
    return !life.hasEnded;
  } catch (error) {
    assert.ok(error instanceof Killed || isServiceError(error), String(error));
    assert.ok(life.hasEnded);
    return false;
  } finally {
    model.dispose();
  }
}

/** Tries every moment at which a process can end. */
async function atEachMoment(
  kind: 'pull' | 'push',
  prepare: (remote: Remote) => Promise<Clone>,
  expected: readonly JsonObject[],
): Promise<number> {
  for (let moments = 0; ; moments += 1) {
    const remote = await createRemote();
    const clone = await prepare(remote);
    const life = new Life(moments);
    const isDone = await live(clone, remote, life, kind);
    // Whoever looks meanwhile sees whole files and whole workflows.
    for (const file of clone.folder.files.keys()) assert.ok(clone.definition(file), file);
    assert.ok(await live(clone, remote, new Life(), kind));
    const files = expected.map((each) => fileOf(nameOf(each)));
    assert.deepEqual(await clone.states(), Object.fromEntries(files.map((file) => [file, 'same'])));
    assert.deepEqual(await remote.names(), expected.map(nameOf), `after ${moments} moments`);
    for (const definition of expected) {
      const file = fileOf(nameOf(definition));
      assert.deepEqual(await remote.read(clone.idOf(file) ?? ''), definition);
      assert.deepEqual(clone.definition(file), definition);
    }
    await remote.dispose();
    if (isDone) return moments;
  }
}

describe('a process that is killed', function () {
  this.timeout(300_000);

  it('in a push of creates and updates: each is whole, none is there twice, and the next one goes on', async () => {
    const changed = names.map((name) => definitionOf(name, 'input.changed'));
    const added = ['D', 'E'].map((name) => definitionOf(name, 'input.new'));
    const moments = await atEachMoment(
      'push',
      async (remote) => {
        const clone = new Clone(remote.model);
        for (const name of names) await remote.create(definitionOf(name));
        await clone.pull();
        for (const each of [...changed, ...added]) clone.write(fileOf(nameOf(each)), each);
        return clone;
      },
      [...changed, ...added],
    );
    assert.ok(moments > 50, String(moments));
  });

  it('in a pull: each file is whole, and the next one goes on', async () => {
    const changed = names.map((name) => definitionOf(name, 'input.changed'));
    const added = ['D', 'E'].map((name) => definitionOf(name, 'input.new'));
    await atEachMoment(
      'pull',
      async (remote) => {
        const clone = new Clone(remote.model);
        const ids: string[] = [];
        for (const name of names) ids.push(await remote.create(definitionOf(name)));
        await clone.pull();
        for (const [index, each] of changed.entries()) await remote.change(ids[index] ?? '', each);
        for (const each of added) await remote.create(each);
        return clone;
      },
      [...changed, ...added],
    );
  });
});
