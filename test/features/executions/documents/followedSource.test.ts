import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  FollowedSource,
  type RenderedRuns,
} from '../../../../src/features/executions/documents/followedSource.ts';
import { makeExecution, makeNodeLog, statusOf } from '../../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../../support/memory/world.ts';

describe('a document that grows with its execution', () => {
  const uri = vscode.Uri.parse('workflow-execution://c/Name.log?execution=e&part=log');
  const { signal } = new AbortController();
  let world: World;
  let source: FollowedSource<RenderedRuns>;
  let connectionId: string;
  /** How many rows there were each time the text was made. */
  let rendered: number[];

  beforeEach(async () => {
    world = createWorld();
    [connectionId] = await connectBoth(world);
    rendered = [];
    source = new FollowedSource(world, {
      render: (_target, { rows }) => {
        rendered.push(rows.length);
        return { text: `${rows.length} rows`, sections: [] };
      },
    });
  });
  afterEach(() => source.dispose());

  const target = () => ({ connectionId, executionId: 'e' });
  const address = () => ({ target: target(), part: 'log', nodeRunKey: '', isCompact: false }) as const;
  const read = () => source.read({ uri, address: address() }, signal);

  it('has sections where its lines belong to node runs, each of which is listed once', async () => {
    const rows = ['a', 'b', 'a'].map((nodeId, at) => makeNodeLog(at + 1, { nodeId }));
    world.first.executions = [makeExecution('e', { status: statusOf('completed') })];
    world.first.logs.set('e', rows);
    const ofRuns = new FollowedSource(world, {
      render: (_target, { nodeRuns: [first, second] }) => {
        const link = [0, 6] as const;
        assert.ok(first && second);
        const sections = [first, second, first].map((run, at) => ({
          run,
          firstLine: 2 * at,
          lastLine: 2 * at + 1,
          link,
        }));
        return { text: '', sections };
      },
    });
    await ofRuns.read({ uri, address: address() }, signal);
    const isListed = (lineCount: number) =>
      ofRuns.sectionsOf({ lineCount }, address()).map(({ entry }) => entry !== null);
    assert.deepEqual(isListed(7), [true, true, false]);
    assert.deepEqual(isListed(5), [true, true], 'the document is older than the text');
    const [first, second] = world.executions.logs(target()).nodeRuns;
    const found = [0, 3, 5].map((line) => ofRuns.findRun({ uri, address: address() }, line)?.nodeRunKey);
    assert.deepEqual(found, [first?.key, second?.key, first?.key]);
    ofRuns.dispose();
  });

  it('is made once of an execution that is over, whose rows are read once', async () => {
    world.first.executions = [makeExecution('e', { status: statusOf('completed') })];
    world.first.logs.set('e', [makeNodeLog(1), makeNodeLog(2)]);
    assert.deepEqual([await read(), await read()], ['2 rows', '2 rows']);
    assert.deepEqual(rendered, [2]);
    assert.deepEqual(
      world.first.calls.filter((call) => call.startsWith('executions.')),
      ['executions.get e', 'executions.logs e'],
    );
    assert.deepEqual(world.following.current, []);
  });

  it('shows the rows of one that the service tells only by its log', async () => {
    world.first.logs.set('e', [makeNodeLog(1)]);
    assert.deepEqual([await read(), await read()], ['1 rows', '1 rows']);
    assert.deepEqual(rendered, [1]);
    assert.deepEqual(world.following.current, []);
  });

  it('follows one that goes on, and is made again only when something came', async () => {
    world.first.executions = [makeExecution('e', { status: statusOf('running') })];
    await read();
    await read();
    assert.equal(world.following.current.length, 1);
    world.executions.logs(target()).append([makeNodeLog(1)]);
    await read();
    world.executions.logs(target()).append([makeNodeLog(1)]);
    assert.equal(await read(), '1 rows');
    world.executions.setStatus(target(), statusOf('completed'));
    await read();
    assert.deepEqual(rendered, [0, 1, 1]);
    // A row of the execution itself belongs to no node run.
    world.executions.logs(target()).append([makeNodeLog(2, { nodeId: '' })]);
    assert.equal(await read(), '2 rows');
  });

  it('keeps the rows of an open document, and not those of one that was closed while it was read', async () => {
    world.first.executions = [makeExecution('e', { status: statusOf('completed') })];
    const going = Promise.withResolvers<undefined>();
    const slow = new FollowedSource(world, {
      render: async (_target, { rows }) => {
        if (rows.length > 0) await going.promise;
        return { text: `${rows.length} rows`, sections: [] };
      },
    });
    const feed = world.executions.logs(target());
    const useOthers = () => {
      for (let at = 0; at < 100; at += 1) world.executions.logs({ connectionId, executionId: `other${at}` });
    };
    await slow.read({ uri, address: address() }, signal);
    useOthers();
    assert.equal(world.executions.logs(target()), feed);
    feed.append([makeNodeLog(1)]);
    const reading = slow.read({ uri, address: address() }, signal);
    slow.forget({ uri, address: address() });
    going.resolve(undefined);
    assert.equal(await reading, '1 rows');
    assert.equal(slow.find(target()), undefined);
    useOthers();
    assert.notEqual(world.executions.logs(target()), feed);
    slow.dispose();
  });

  it('keeps nothing of one that could not be read', async () => {
    const failing = new FollowedSource(world, {
      render: () => Promise.reject(new Error('no text')),
    });
    const feed = world.executions.logs(target());
    await assert.rejects(failing.read({ uri, address: address() }, signal), /no text/);
    for (let at = 0; at < 100; at += 1) world.executions.logs({ connectionId, executionId: `other${at}` });
    assert.notEqual(world.executions.logs(target()), feed);
    failing.dispose();
  });
});
