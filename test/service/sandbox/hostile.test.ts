// The worst that an author can write ends with a clear error, and delays no one: checked by the order of what happens, never by time.
import assert from 'node:assert/strict';
import type { JsonValue } from '../../../src/base/json.ts';
import { NodeError } from '../../../src/service/errors.ts';
import { type Sandbox, TooManyChecksError } from '../../../src/service/sandbox/sandbox.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { type ExpressionScope, ScopeValue } from '../../../src/definition/expressionScope.ts';

const { signal } = new AbortController();
const deadlineMs = 300;
const memoryMiB = 48;

function scopeOf(input: JsonValue): ExpressionScope {
  return { input: new ScopeValue(JSON.stringify(input)), nodes: new Map(), loop: null };
}

const empty = scopeOf({});
const doubled = '$f := function($s, $n) { $n = 0 ? $s : $f($s & $s, $n - 1) };';
const shared = '$f := function($v, $n) { $n = 0 ? $v : $f({ "a": $v, "b": $v }, $n - 1) };';
const endless = '( $f := function($n) { $f($n + 1) }; $f(1) )';

const ended = /took longer than 300 ms|needs more than 48 MiB of memory/;

/** What is evaluated, and how it fails. */
const worst: readonly (readonly [string, string, RegExp])[] = [
  ['an endless loop', endless, /took longer than 300 ms\.$/],
  ['an endless recursion', '( $f := function($n) { 1 + $f($n) }; $f(1) )', /Stack overflow/],
  ['a sort of 100,000', '$count($sort([1..100000]))', ended],
  ['a regular expression with no end', '$contains(input.text, /^(a+)+$/)', /took longer than 300 ms\.$/],
  ['a regular expression with many slow matches', '$count($match(input.slow, /(a+)+b/))', ended],
  ['all pairs of 100,000', '$distinct([1..100000])', ended],
  ['a padding of 100 million', '$pad("x", 100000000)', /failed: a list of more than/],
  ['a padding of 30 million', '$pad("x", 30000000)', /failed: a list of more than/],
  ['a year of 30 million digits', '$now("[Y,30000000]")', /failed: a list of more than/],
  ['a range of ten million', '[1..9999999]', /maximum sequence length/],
  ['a text that doubles, measured', `( ${doubled} $length($f("xxxxxxxx", 25)) )`, /exceeds 1 MiB/],
  ['a text that doubles, given', `( ${doubled} $f("xxxxxxxx", 25) )`, /exceeds 1 MiB/],
  [
    'a text that doubles, replaced',
    `( ${doubled} $replace($f("xxxxxxxx", 16), "x", $f("yyyy", 16)) )`,
    /failed/,
  ],
  ['shared parts, given', `( ${shared} $f(1, 24) )`, /more than 1 MiB|took longer/],
  ['shared parts, as a text', `( ${shared} $string($f(1, 24)) )`, /more than 1 MiB|took longer/],
  ['shared parts, put into a text', `( ${shared} "" & $f(1, 24) )`, /more than 1 MiB|took longer/],
  ['a large text 500 times, joined', '( $s := $pad("", 999999); $join([1..500].$s) )', /more than 1 MiB/],
  [
    'a large text 500 times, as a text',
    '( $s := $pad("", 999999); $string([1..500].$s) )',
    /more than 1 MiB/,
  ],
  [
    'a result 201 deep',
    '$reduce([1..200], function($v, $n) { { "a": $v } }, {})',
    /more than 200 levels deep/,
  ],
  ['brackets without end', '$eval($join([1..100000].("(")))', /failed/],
  ['a member that is called toJSON', '{ "toJSON": /a/ }', /failed/],
  ['too many results', '[1..200000]', /maximum sequence length/],
  ['a text of more than 1 MiB', '[$pad("", 800000), $pad("", 800000)]', /gave more than 1 MiB\.$/],
];

describe('The worst that an author can write', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = createSandbox({ deadlineMs, memoryMiB });
  });
  afterEach(() => sandbox.dispose());

  const scope = scopeOf({ text: `${'a'.repeat(60)}!`, slow: `${'a'.repeat(28)}! `.repeat(60) });

  for (const [what, expression, words] of worst)
    it(`${what} ends with a clear error, and others are served meanwhile`, async () => {
      // Where a bound on size ends it, a slow machine must not end it by time.
      if (!words.source.includes('took longer')) {
        await sandbox.dispose();
        sandbox = createSandbox({ deadlineMs: 60_000, memoryMiB });
      }
      let answered = 0;
      let ticks = 0;
      const worstCase = { isOver: false };
      const timer = setInterval(() => (ticks += 1), 1);
      const failure = sandbox
        .evaluate(expression, scope, signal)
        .then(
          (value) => assert.fail(value.text.slice(0, 100)),
          (error: unknown) => error,
        )
        .finally(() => {
          worstCase.isOver = true;
        });
      // The other worker finishes one after the other for as long as the worst takes.
      do {
        assert.equal((await sandbox.evaluate('1 + 1', empty, signal)).text, '2');
        answered += 1;
      } while (!worstCase.isOver);
      clearInterval(timer);
      const error = await failure;
      assert.ok(error instanceof NodeError, String(error));
      assert.match(error.message, words);
      assert.ok(error.message.length < 1000, error.message);
      assert.ok(answered > 0 && ticks > 0);
      // What comes next has a worker, whatever became of the one before.
      assert.equal((await sandbox.evaluate('2 + 2', empty, signal)).text, '4');
    });

  it('functions become nothing, wherever they are', async () => {
    const { text } = await sandbox.evaluate('[$sum, function($x) { 1 }, { "a": /b/ }]', empty, signal);
    assert.equal(text, '[null,null,{"a":null}]');
    assert.equal((await sandbox.evaluate('function() { 1 }', empty, signal)).text, 'null');
  });

  it('exhausted memory has an error code of its own', async () => {
    const own = createSandbox({ deadlineMs: 60_000, memoryMiB: 32 });
    const failure = own.evaluate('$count($sort([1..100000]))', empty, signal);
    await assert.rejects(failure, { code: 'out_of_memory', message: /needs more than 32 MiB of memory\.$/ });
    await own.dispose();
  });

  it('exhausted time has an error code of its own, for an expression, a text and an input', async () => {
    const code = 'expression_timed_out';
    await assert.rejects(sandbox.evaluate(endless, empty, signal), {
      code,
      message: /^The expression "\( \$f/,
    });
    await assert.rejects(sandbox.list(endless, empty, signal), { code });
    await assert.rejects(sandbox.render({ a: `{{ ${endless} }}` }, empty, signal), { code });
    await assert.rejects(sandbox.renderText(`Hi {{ ${endless} }}`, empty, signal), { code });
    const schema = { properties: { text: { pattern: '^(a+)+$' } } };
    await assert.rejects(sandbox.checkInput(schema, scope.input, signal), {
      code: 'input_schema_failed',
      message: /^The input could not be checked: it took longer than 300 ms\.$/,
    });
  });

  it('what goes on after a failure takes the time of its own expression, not that of the next one', async () => {
    const one = createSandbox({ workers: 1, deadlineMs });
    for (const parts of [
      `[$error("No."), ${endless}]`,
      `[1, 2]{ $string($): $ = 1 ? $error("No.") : ${endless} }`,
    ]) {
      await assert.rejects(one.evaluate(parts, empty, signal), { code: 'expression_timed_out' });
      assert.equal((await one.evaluate('1 + 1', empty, signal)).text, '2');
    }
    const short = '( $f := function($n) { $n = 0 ? 0 : $f($n - 1) }; $f(1000) )';
    await assert.rejects(one.evaluate(`[$error("No."), ${short}]`, empty, signal), /failed: No\.$/);
    await one.dispose();
  });

  it('all texts of a value are filled under one deadline', async () => {
    const slow = '{{ ( $f := function($n) { $n = 0 ? 1 : $f($n - 1) }; $f(10000) ) }}';
    const own = createSandbox({ deadlineMs: 3000 });
    assert.deepEqual((await own.render([slow], empty, signal)).value, [1]);
    const failure = own.render(
      Array.from({ length: 2000 }, () => slow),
      empty,
      signal,
    );
    await assert.rejects(failure, { code: 'expression_timed_out' });
    await own.dispose();
  });

  /** Says when each has come to its end. */
  const tellEnds = () => {
    const told: string[] = [];
    const tell = (name: string) => (): void => {
      told.push(name);
    };
    return { told, tell };
  };

  it('expressions of one execution get their turn in order, each with a deadline of its own', async () => {
    const one = createSandbox({ workers: 1, deadlineMs });
    const { told, tell } = tellEnds();
    await Promise.all([
      one.evaluate(endless, empty, signal).catch(tell('endless')),
      one.evaluate(endless, empty, signal).catch(tell('endless again')),
      one.evaluate('1', empty, signal).then(tell('one')),
      one.evaluate('2', empty, signal).then(tell('two')),
    ]);
    assert.deepEqual(told, ['endless', 'endless again', 'one', 'two']);
    await one.dispose();
  });

  it('executions take turns: each expression of a quick one waits for what runs, not for all that waits', async () => {
    const one = createSandbox({ workers: 1, deadlineMs });
    const { told, tell } = tellEnds();
    const slow = one.of('slow');
    const begun = slow.evaluate(endless, empty, signal).catch(tell('slow'));
    const waiting = Array.from({ length: 5 }, () =>
      slow.evaluate(endless, empty, signal).catch(tell('slow')),
    );
    const quick = one.of('quick');
    for (const name of ['one', 'two']) await quick.evaluate('1', empty, signal).then(tell(name));
    await Promise.all([begun, ...waiting]);
    assert.equal(told[1], 'one', told.join(', '));
    assert.ok(told.indexOf('two') <= 3, told.join(', '));
    await one.dispose();
  });

  it('a check of a definition waits for what runs, and leaves expressions the other worker', async () => {
    const two = createSandbox({ workers: 2, deadlineMs: 60_000, checkDeadlineMs: 60_000 });
    const { told, tell } = tellEnds();
    const work = '$count($distinct([1..5000]))';
    const expressions = Array.from({ length: 20 }, (_each, index) =>
      two.of(`execution ${index}`).evaluate(work, empty, signal).then(tell('expression')),
    );
    const nodes = Array.from({ length: 3 }, (_each, index) => ({ id: `a${index}`, type: 'trigger' }));
    const definition = { name: 'A', nodes, edges: [], settings: {} };
    const checks = Array.from({ length: 2 }, () => two.checkDefinition(definition).then(tell('check')));
    await Promise.all([...expressions, ...checks]);
    assert.ok(told.lastIndexOf('check') < 10, told.join(', '));
    await two.dispose();
  });

  it("work beyond the queue's limit is refused with a clear error, and counted", async () => {
    const one = createSandbox({ workers: 1, deadlineMs, maximumWaiting: 2, maximumChecks: 1 });
    await one.evaluate('1', empty, signal);
    const running = assert.rejects(one.evaluate(endless, empty, signal));
    const waiting = [one.evaluate('1', empty, signal), one.evaluate('1', empty, signal)];
    const definition = { name: 'A', nodes: [], edges: [], settings: {} };
    const check = one.checkDefinition(definition);
    assert.deepEqual(one.use, { expressions: 2, checks: 1, refused: 0 });
    await assert.rejects(one.evaluate('1', empty, signal), {
      code: 'too_many_expressions',
      message: 'The expression "1" failed: too many expressions are already waiting.',
    });
    await assert.rejects(one.checkDefinition(definition), TooManyChecksError);
    await Promise.all([running, check, ...waiting]);
    assert.deepEqual(one.use, { expressions: 0, checks: 0, refused: 2 });
    await one.dispose();
  });

  it('aborted work rejects at once, waiting or not', async () => {
    const one = createSandbox({ workers: 1, deadlineMs: 60_000 });
    await one.evaluate('1', empty, signal);
    const stopping = new AbortController();
    const begun = one.evaluate(endless, empty, stopping.signal);
    const waiting = one.evaluate('1', empty, stopping.signal);
    const reason = new Error('The service stops.');
    stopping.abort(reason);
    await assert.rejects(begun, reason);
    await assert.rejects(waiting, reason);
    await assert.rejects(one.evaluate('1', empty, stopping.signal), reason);
    await one.dispose();
  });

  it('the end of the sandbox ends running and waiting work', async () => {
    const one = createSandbox({ workers: 1, deadlineMs: 60_000 });
    const pending = [endless, '1'].map((text) =>
      assert.rejects(one.evaluate(text, empty, signal), /service stops/),
    );
    await one.dispose();
    await Promise.all(pending);
    await assert.rejects(one.evaluate('1', empty, signal), /service stops/);
  });
});
