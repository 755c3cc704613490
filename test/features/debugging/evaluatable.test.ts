// What is evaluated when the pointer rests on a part of an expression.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../../src/definition/definitionText.ts';
import { findEvaluatable } from '../../../src/features/debugging/evaluatable.ts';

/** The pointer is at the "|" of the expression, or of the template with it. */
function evaluated(marked: string, config = (text: string): object => ({ expression: text })) {
  const node = { id: 'n', type: 'transform', config: config(marked.replace('|', '')) };
  const text = JSON.stringify({ nodes: [node] }, null, 2);
  const escaped = (code: string): string => JSON.stringify(code).slice(1, -1);
  const [before = '', after = ''] = marked.split('|').map(escaped);
  const offset = text.indexOf(before + after) + before.length;
  const found = findEvaluatable(new DefinitionText(text), offset);
  if (found === undefined) return undefined;
  const { expression, span } = found;
  assert.equal(text.slice(span.start, span.end), escaped(expression));
  return expression;
}

describe('a part of an expression under the pointer', () => {
  for (const [marked, expression] of [
    ['input.lines.pri|ce * 2', 'input.lines.price'],
    ['input.li|nes.price * 2', 'input.lines'],
    ['|item', 'item'],
    ['nodes.`The s|tart`.total', 'nodes.`The start`'],
    ['$sum(input.lines.pr|ice)', 'input.lines.price'],
    ['input.lines[0].na|me', 'input.lines[0].name'],
    ['{ "name": input.na|me }', 'input.name'],
  ] as const)
    it(`${marked} is ${expression}`, () => assert.equal(evaluated(marked), expression));

  for (const marked of [
    'input.lines[pri|ce > 2]',
    'input.lines.(quan|tity * price)',
    '($rate := 2; $ra|te * item)',
    '($rate := 2; input.lines[$rate].na|me)',
    'input.lines.price * |2',
  ])
    it(`means nothing alone in ${marked}: the whole is evaluated`, () =>
      assert.equal(evaluated(marked), marked.replace('|', '')));

  it('is that within {{ }} of a template', () => {
    const template = (text: string) => ({ message: text });
    const node = (text: string) => evaluated(text, template);
    assert.equal(node('Hello {{ input.na|me }}!'), 'input.name');
    assert.equal(node('He|llo {{ input.name }}!'), undefined);
  });

  it('is nothing outside of expressions', () => {
    const text = JSON.stringify({ nodes: [{ id: 'n', type: 'transform', config: { expression: '1' } }] });
    assert.equal(findEvaluatable(new DefinitionText(text), text.indexOf('transform')), undefined);
    assert.equal(findEvaluatable(new DefinitionText('{'), 1), undefined);
  });
});
