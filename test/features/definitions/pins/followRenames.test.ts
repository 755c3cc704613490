// A pin stays with its node: when the node is renamed, when that is undone, and when the definition is closed without saving it.
import assert from 'node:assert/strict';
import { combine, type Disposable } from '../../../../src/base/disposable.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { followRenames } from '../../../../src/features/definitions/pins/followRenames.ts';
import { PinFiles } from '../../../../src/features/definitions/pins/pinFiles.ts';
import { definitionUri } from '../../../../src/ui/addresses.ts';
import { connectBoth, createWorld, type World } from '../../../support/memory/world.ts';
import { openWritten } from '../../../support/writtenDocument.ts';

const node = (id: string, type = 'log'): JsonObject => ({
  id,
  type,
  config: { message: `{{ nodes.${id} }}` },
});
const chain = (...ids: readonly string[]): string =>
  JSON.stringify({
    nodes: ids.map((id) => node(id)),
    edges: ids.slice(1).map((id, at) => ({ source: ids[at], target: id })),
  });

describe('the pin of a node that is renamed', () => {
  let world: World;
  let files: PinFiles;
  let following: Disposable;
  let written: ReturnType<typeof openWritten>;
  const target = { connectionId: 'connection_1', workflowId: 'w' };
  const uri = definitionUri(target, 'First', 'Workflow');
  const pinned = () =>
    world.pins.list(target).map(({ nodeId, value }) => `${nodeId}: ${JSON.stringify(value)}`);

  beforeEach(async () => {
    world = createWorld();
    await connectBoth(world);
    written = openWritten(uri, chain('a', 'b', 'c'));
    files = new PinFiles(world);
    following = combine(files, followRenames(files, { ...world, logger: silentLogger }));
    await world.pins.set(target, 'b', 1);
    await world.pins.set(target, 'c', 2);
  });
  afterEach(() => {
    following.dispose();
    written.close();
    world.following.dispose();
  });

  it('goes with it, and back', () => {
    written.write(chain('a', 'new', 'c'));
    assert.deepEqual(pinned(), ['new: 1', 'c: 2']);
    written.write(chain('a', 'b', 'c'));
    assert.deepEqual(pinned(), ['b: 1', 'c: 2']);
  });

  it('is kept', () => {
    written.write(chain('a', 'new', 'c'));
    const { pins } = createWorld();
    assert.deepEqual(pins.list(target), []);
    assert.match(world.workspaceState.text, /"nodeId":"new"/);
  });

  it('follows several at once, as a revert does', () => {
    written.write(chain('a', 'new', 'c'));
    written.write(chain('a', 'new', 'last'));
    assert.deepEqual(pinned(), ['new: 1', 'last: 2']);
    written.write(chain('a', 'b', 'c'));
    assert.deepEqual(pinned(), ['b: 1', 'c: 2']);
  });

  it('comes back when the definition is opened again as it was', () => {
    written.write(chain('a', 'new', 'c'));
    written.close();
    written = openWritten(uri, chain('a', 'b', 'c'));
    assert.deepEqual(pinned(), ['b: 1', 'c: 2']);
  });

  it('changes places with one that had no node', async () => {
    await world.pins.set(target, 'new', 3);
    written.write(chain('a', 'new', 'c'));
    assert.deepEqual(pinned(), ['new: 1', 'c: 2', 'b: 3']);
    written.write(chain('a', 'b', 'c'));
    assert.deepEqual(pinned(), ['b: 1', 'c: 2', 'new: 3']);
  });

  for (const [what, text] of [
    ['by hand, while edges still name it', chain('a', 'b', 'c').replace('"id":"b"', '"id":"new"')],
    ['to an id that another node has', chain('a', 'c', 'c')],
    ['and another one was added', chain('a', 'new', 'c', 'd')],
    ['and there is another one', chain('new', 'c')],
    [
      'and is of another type',
      chain('a', 'new', 'c').replace('"id":"new","type":"log"', '"id":"new","type":"delay"'),
    ],
    ['where two have changed places', chain('a', 'c', 'b')],
    ['to nothing', chain('a', '', 'c')],
    ['in a text that is no JSON', `${chain('a', 'new', 'c')},`.replaceAll('[', '')],
  ] as const)
    it(`stays where it isn't known to be the same node: ${what}`, () => {
      written.write(text);
      assert.deepEqual(pinned(), ['b: 1', 'c: 2']);
    });

  it('is of this workflow alone', async () => {
    const other = { ...target, workflowId: 'other' };
    await world.pins.set(other, 'b', 5);
    written.write(chain('a', 'new', 'c'));
    assert.equal(world.pins.find(other, 'b')?.value, 5);
  });
});
