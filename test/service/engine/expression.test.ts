// Why: expressions come from others; none may hold the service, and texts are filled exactly.
import assert from 'node:assert/strict';
import {
  evaluate,
  findSyntaxFault,
  renderMessage,
  renderTemplates,
} from '../../../src/service/engine/expression.ts';

const soonMs = 30;

describe('Expressions', () => {
  it('give JSON: nothing becomes null, lists stay lists', async () => {
    assert.equal(await evaluate('nothing', {}), null);
    assert.deepEqual(await evaluate('list[n > 1]', { list: [{ n: 1 }, { n: 2 }, { n: 3 }] }), [
      { n: 2 },
      { n: 3 },
    ]);
  });

  it('are ended when they recurse for ever', async () => {
    const endless = '( $f := function($n) { $f($n + 1) }; $f(1) )';
    await assert.rejects(evaluate(endless, {}, soonMs), { name: 'NodeError', message: /timeout/ });
    await assert.rejects(evaluate('( $f := function($n) { 1 + $f($n) }; $f(1) )', {}), /failed/);
  });

  it('are ended when a regular expression runs for ever', async () => {
    const data = { text: `${'a'.repeat(60)}!` };
    await assert.rejects(evaluate('$contains(text, /^(a+)+$/)', data, soonMs), /timed out/);
  });

  it('find what regular expressions find, each match in turn', async () => {
    assert.deepEqual(await evaluate('$match(text, /a(b)/i).groups', { text: 'ab AB' }), ['b', 'B']);
    assert.equal(await evaluate('$replace(text, /o/, "0")', { text: 'foo boo' }), 'f00 b00');
    assert.deepEqual(await evaluate('$split(text, /\\s+/)', { text: 'a  b c' }), ['a', 'b', 'c']);
  });

  it('are refused when they give too much', async () => {
    await assert.rejects(evaluate('[1..200000]', {}), /failed/);
    await assert.rejects(evaluate('$pad("", 2000000)', {}), { code: 'output_too_large' });
  });

  it('fill texts: alone as the value itself, within text as text', async () => {
    const data = { n: 2, who: { name: 'Ada' } };
    const rendered = await renderTemplates(
      { a: '{{ n }}', b: ['n is {{ n }}, {{ who }}'], c: 5, d: 'plain' },
      data,
    );
    assert.deepEqual(rendered, { a: 2, b: ['n is 2, {"name":"Ada"}'], c: 5, d: 'plain' });
    assert.equal(await renderMessage('{{ who }}', data), '{"name":"Ada"}');
  });

  it('tell their syntax faults', () => {
    assert.equal(findSyntaxFault('1 + 1'), undefined);
    assert.match(findSyntaxFault('1 +') ?? '', /end/i);
  });
});
