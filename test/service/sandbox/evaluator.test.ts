// Expressions that the extension evaluates itself have the service's limits, and its thread lives only while it's used.
import assert from 'node:assert/strict';
import { type Clock, systemClock } from '../../../src/base/time.ts';
import { toDisposable } from '../../../src/base/disposable.ts';
import { type ExpressionScope, ScopeValue } from '../../../src/definition/expressionScope.ts';
import { Evaluator } from '../../../src/service/sandbox/evaluator.ts';
import { createSandbox, workerProgram } from '../../support/sandbox.ts';

const { signal } = new AbortController();
const scope: ExpressionScope = {
  input: new ScopeValue('{"a":1}'),
  nodes: new Map([
    ['known', new ScopeValue('2')],
    ['large', new ScopeValue('')],
  ]),
  loop: { item: new ScopeValue(''), index: 0 },
};

describe('The evaluator', () => {
  let evaluator: Evaluator;
  beforeEach(() => {
    evaluator = new Evaluator({ program: workerProgram, clock: systemClock });
  });
  afterEach(() => evaluator.dispose());
  const evaluate = (expression: string): Promise<string> => evaluator.evaluate(expression, scope, signal);

  it('evaluates, and lists as a loop does', async () => {
    assert.equal(await evaluate('input.a + nodes.known'), '3');
    assert.deepEqual(await evaluator.list('input.a', scope, signal), ['1']);
  });

  it('ignores unknown values, unless the expression reads one', async () => {
    assert.equal(await evaluate('$count($keys(nodes)) + index'), '2');
    for (const expression of ['nodes.large', '$merge(nodes)', 'item', '$string($$)'])
      await assert.rejects(evaluate(expression), { code: 'value_unknown' }, expression);
  });

  for (const [what, expression, reason] of [
    ['an endless loop', '($f := function() { $f() }; $f())', /^it took longer than 1000 ms\.$/],
    ['a huge result', '($a := [1..90000]; { "a": $a, "b": $a, "c": $a })', /^it gave more than 1 MiB\.$/],
    ['a huge value on the way', '$length($pad("", 100000000, "x"))', /^a list of more than 1048576 items$/],
    ['what is no JSONata', '1 +', /^Unexpected end of expression$/],
  ] as const)
    it(`refuses ${what} with a clear error, and continues`, async () => {
      await assert.rejects(evaluate(expression), { message: reason });
      assert.equal(await evaluate('1'), '1');
    });

  it('can be cancelled', async () => {
    const controller = new AbortController();
    const cancelled = evaluator.evaluate('($f := function() { $f() }; $f())', scope, controller.signal);
    controller.abort();
    await assert.rejects(cancelled, { name: 'AbortError' });
    assert.equal(await evaluate('1'), '1');
  });

  it('ends its thread when it has had no work for a while, and starts again', async () => {
    const waits: (() => void)[] = [];
    const clock: Clock = {
      now: () => 0,
      schedule: (callback) => {
        waits.push(callback);
        return toDisposable(() => waits.splice(waits.indexOf(callback), 1));
      },
    };
    const brief = new Evaluator({ program: workerProgram, clock });
    assert.equal(await brief.evaluate('1', scope, signal), '1');
    assert.equal(waits.length, 1);
    waits[0]?.();
    assert.equal(await brief.evaluate('2', scope, signal), '2');
    assert.equal(waits.length, 1);
    brief.dispose();
    await assert.rejects(brief.evaluate('1', scope, signal), { name: 'AbortError' });
  });
});

describe('The check of a definition', () => {
  let evaluator: Evaluator;
  beforeEach(() => {
    evaluator = new Evaluator({ program: workerProgram, clock: systemClock });
  });
  afterEach(() => evaluator.dispose());
  const text = JSON.stringify({
    nodes: [{ id: 'start', type: 'trigger' }],
    edges: [{ source: 'start', target: 'no' }],
  });
  /** Takes minutes to check. */
  const endless = JSON.stringify({
    nodes: [{ id: 'x', type: 'log', config: { message: '{{ 1 }}'.repeat(1_000_000) } }],
  });

  it('finds the faults of each text', async () => {
    const [first, second, third] = await Promise.all([
      evaluator.checkText(text, 'local', signal),
      evaluator.checkText('{', 'local', signal),
      evaluator.checkText('{}', 'service', signal),
    ]);
    assert.deepEqual(
      first?.faults.map(({ message }) => message),
      ['edge 1 points to a node that doesn\'t exist ("no")'],
    );
    assert.equal(second, null);
    assert.deepEqual(third, { faults: [], more: 0 });
  });

  it('uses the language of the editor', async () => {
    const words = {
      'edge {0}': 'Kante {0}',
      '{0} points to a node that doesn\'t exist ("{1}")': '{0}: "{1}" fehlt',
    };
    const german = new Evaluator({ program: workerProgram, clock: systemClock, words });
    const answer = await german.checkText(text, 'local', signal);
    assert.equal(answer?.faults[0]?.message, 'Kante 1: "no" fehlt');
    german.dispose();
  });

  it('ends when the text changes, before it has begun or in its middle, and the next one begins', async () => {
    await evaluator.checkText(text, 'local', signal);
    const [controller, waiting] = [new AbortController(), new AbortController()];
    const stopped = evaluator.checkText(endless, 'local', controller.signal);
    const left = evaluator.checkText(endless, 'local', waiting.signal);
    const next = evaluator.checkText(text, 'local', signal);
    await new Promise((resolve) => setImmediate(resolve));
    waiting.abort();
    controller.abort();
    await assert.rejects(left, { name: 'AbortError' });
    await assert.rejects(stopped, { name: 'AbortError' });
    assert.equal((await next)?.faults.length, 1);
  });

  it('waits for no expression', async () => {
    const slow = evaluator.evaluate('($f := function() { $f() }; $f())', scope, signal);
    const order: string[] = [];
    const failed = slow.catch(() => order.push('expression'));
    await evaluator.checkText(text, 'local', signal).then(() => order.push('check'));
    await failed;
    assert.deepEqual(order, ['check', 'expression']);
  });

  it('is aborted when it takes too long', async () => {
    const hasty = createSandbox({ checkDeadlineMs: 10 });
    await assert.rejects(hasty.checkText(endless, 'local', signal), /took longer than 10 ms/);
    await hasty.dispose();
  });

  it('fails without a program', async () => {
    const lost = new Evaluator({ program: new URL('missing.js', workerProgram), clock: systemClock });
    await assert.rejects(lost.checkText(text, 'local', signal));
    lost.dispose();
  });
});
