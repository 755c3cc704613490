import assert from 'node:assert/strict';
import { type CompletedQuestion, rowsOf } from '../../src/editor/prompts/completingPrompt.ts';

const question: CompletedQuestion = {
  title: '',
  placeholder: '',
  value: '',
  hint: 'Enter',
  complete: (text) => ('status:'.startsWith(text) ? [{ label: 'status:', text: 'status:' }] : []),
  check: (text) => (text.endsWith('!') ? { message: 'No', isAtEnd: text.length < 3 } : undefined),
};
const shown = (text: string, change: Partial<CompletedQuestion> = {}) =>
  rowsOf({ ...question, ...change }, text).map(
    ({ label, detail, completion: { isAnswer = false } }) => `${label}|${detail ?? ''}|${isAnswer}`,
  );

describe('a question that is completed', () => {
  it('takes the text itself first, and offers what can be typed on', () => {
    assert.deepEqual(shown(''), ['status:||false']);
    assert.deepEqual(shown('st'), ['$(search) st||true', 'status:||false']);
    assert.deepEqual(shown('$(x)'), [String.raw`$(search) \$(x)||true`]);
  });

  it('says what is wrong, but not of what a completion may mend', () => {
    assert.deepEqual(shown('abc!'), ['$(error) abc!|No|false']);
    assert.deepEqual(shown('a!', { complete: () => [{ label: 'more', text: 'a!b' }] }), ['more||false']);
    assert.deepEqual(shown('a!'), ['$(error) a!|No|false']);
  });
});
