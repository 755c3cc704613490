// A log that is shown in the channel from its middle says so.
import assert from 'node:assert/strict';
import { LogChannel } from '../../src/features/executions/following/logChannel.ts';
import { newestRows } from '../../src/model/log/logFeed.ts';
import { writeFollow } from '../../src/ui/writeFollow.ts';
import { renderTime } from '../../src/words/time.ts';
import { settle } from '../support/memory/ports.ts';
import { makeExecution, makeNodeLog, makeWorkflow, statusOf } from '../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../support/memory/world.ts';
import { serviceTraits } from '../../src/domain/serviceTraits.ts';

describe('the lines of a followed execution', () => {
  let world: World;
  let target: { connectionId: string; executionId: string };
  let text: string;
  let channel: LogChannel;

  beforeEach(async () => {
    world = createWorld();
    const [connectionId] = await connectBoth(world);
    target = { connectionId, executionId: 'e' };
    text = '';
    const output = { append: (added: string) => void (text += added), show: () => undefined };
    channel = new LogChannel(
      { open: () => ({ ...output, dispose: () => undefined }), isInSight: () => false },
      world.clock,
    );
  });

  function follow(count: number) {
    const { feed } = world.executions.keepLogs(target);
    feed.append(
      Array.from({ length: count }, (_, at) => makeNodeLog(at + 1, { message: `row ${at}\nmore` })),
    );
    channel.append(['something else'], {
      title: 'Other',
      target: { ...target, executionId: 'other' },
    });
    writeFollow(world, channel, world.following.follow(target));
    channel.flush();
    return feed;
  }

  it('begin with a mark where there were many before', () => {
    const feed = follow(5000);
    const earlier = feed.count - newestRows;
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, 2 + 2 * newestRows);
    const [mark, ...others] = channel.marks;
    assert.ok(mark);
    assert.deepEqual(others, []);
    assert.deepEqual([lines[0], lines[1]], ['something else', mark.text]);
    assert.ok(mark.text.startsWith(`... ${earlier.toLocaleString()} lines omitted.`));
    assert.deepEqual(
      mark.sources.map((source) => source.target),
      [target],
    );
    assert.equal(mark.line, 1);
    assert.ok(lines[2]?.endsWith(`row ${earlier}`));
  });

  it('say that the execution is a draft', () => {
    world.executions.upsert(target.connectionId, makeExecution('e', { kind: 'draft' }));
    follow(1);
    assert.match(text, / e \(draft\) > Node 1: row 0\n/);
  });

  it('say that the nodes come at the end, where the workflow does not save its progress', async () => {
    world.first.traits = serviceTraits.n8n;
    world.first.workflows = [makeWorkflow('w1', { reportsNodesAtEnd: true })];
    await world.workflows.refresh();
    world.first.executions = [makeExecution('e', { status: statusOf('running') })];
    await world.executions.read(target);
    writeFollow(world, channel, world.following.follow(target));
    world.first.channels[0]?.send({ kind: 'open', by: 'polling' });
    await settle();
    channel.flush();
    assert.match(text, /\[info\] Workflow w1 e > n8n reports nodes when the execution ends\n/);
    await world.actions.saveProgress({ connectionId: target.connectionId, workflowId: 'w1' });
    assert.equal(
      world.workflows.find({ connectionId: target.connectionId, workflowId: 'w1' })?.reportsNodesAtEnd,
      undefined,
    );
  });

  it('say that there is no stream where the service could have one, and nothing where its kind has none', async () => {
    const said = async (executionId: string): Promise<string> => {
      text = '';
      writeFollow(world, channel, world.following.follow({ ...target, executionId }));
      world.first.channels.at(-1)?.send({ kind: 'open', by: 'polling' });
      await settle();
      channel.flush();
      return text;
    };
    assert.match(await said('e1'), / e1 > no live stream; polling every few seconds\n/);
    const { capabilities } = world.first;
    capabilities.set(new Set([...capabilities.current].filter((each) => each !== 'liveLogs')));
    assert.equal(await said('e2'), '');
  });

  it('have their keys masked, which is said once: the editor keeps the channel in a file', () => {
    const key = ['svc', 'sk', 'abcd1234EFGH5678ijkl'].join('_');
    const { feed } = world.executions.keepLogs(target);
    writeFollow(world, channel, world.following.follow(target));
    feed.append([makeNodeLog(1, { message: `one ${key}` })]);
    feed.append([makeNodeLog(2, { message: `two ${key}` })]);
    channel.flush();
    const messages = text.split('\n').map((line) => line.replace(/^.*: /, ''));
    assert.deepEqual(messages, [
      'one svc_sk_abcd…',
      '... API keys are masked here, since VS Code keeps these lines in a file',
      'two svc_sk_abcd…',
      '',
    ]);
  });

  it('leave out that a node started, whether more is known of it yet or not', () => {
    const { feed } = world.executions.keepLogs(target);
    writeFollow(world, channel, world.following.follow(target));
    const started = { message: 'started', status: statusOf('running') };
    feed.append([makeNodeLog(1, started)]);
    feed.append([makeNodeLog(2, { message: 'Hello' }), makeNodeLog(3, { ...started, nodeId: 'n2' })]);
    channel.flush();
    assert.deepEqual(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/^.*: /, '')),
      ['Hello'],
    );
  });

  it("end at the service's time, whatever the clock here says and however late the end is known", async () => {
    world.first.executions = [makeExecution('e')];
    await world.executions.read(target);
    const follow = world.following.follow(target);
    writeFollow(world, channel, follow);
    const completedAt = new Date(world.clock.now() - 28_000);
    const status = statusOf('completed');
    world.first.changeExecution('e', { status, completedAt, durationMs: 1500 });
    world.first.channels[0]?.send({ kind: 'end', status });
    await follow.done;
    const lines = text.trimEnd().split('\n');
    assert.ok(lines.at(-1)?.startsWith(`${renderTime(completedAt)} [info] `), text);
    assert.ok(lines.at(-1)?.endsWith(' > completed in 1.5 s'), text);
  });

  it('have no mark where all of them are in memory', () => {
    follow(10);
    assert.deepEqual(channel.marks, []);
    assert.equal(text.trimEnd().split('\n').length, 21);
  });
});
