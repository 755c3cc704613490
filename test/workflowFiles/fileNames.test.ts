// The rules for names of Windows, macOS and Linux, which hold on each of them: a folder is cloned on all three.
import assert from 'node:assert/strict';
import { fileKey, fileStem, freeFileNames, isWorkflowPath } from '../../src/workflowFiles/fileNames.ts';
import { createRandom } from '../support/randomNumbers.ts';

const ending = '.workflow.json';
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

describe('the file of a workflow', () => {
  for (const [names, taken, expected] of [
    [['A', 'B'], [], ['A.workflow.json', 'B.workflow.json']],
    [['A', 'a', 'A'], [], ['A.workflow.json', 'a 2.workflow.json', 'A 3.workflow.json']],
    [['A'], ['a.WORKFLOW.json', 'A 2.workflow.json'], ['A 3.workflow.json']],
    [['../x', ''], [], ['x.workflow.json', 'workflow.workflow.json']],
    [['Straße', 'STRASSE'], [], ['Straße.workflow.json', 'STRASSE 2.workflow.json']],
    [['caf\u00e9', 'cafe\u0301'], [], ['caf\u00e9.workflow.json', 'caf\u00e9 2.workflow.json']],
    [
      ['con', 'NUL', 'Com1', 'lpt9 x'],
      [],
      ['_con', '_NUL', '_Com1', 'lpt9 x'].map((each) => `${each}.workflow.json`),
    ],
    [['a.', ' a '], [], ['a.workflow.json', 'a 2.workflow.json']],
    [['a:b*c?"d"<e>|f\\g/h'], [], ['a b c d e f g h.workflow.json']],
    [['.hidden', '...'], [], ['hidden.workflow.json', 'workflow.workflow.json']],
    [['請求書', '🧾'], [], ['請求書.workflow.json', '🧾.workflow.json']],
  ] as const) {
    it(`is ${expected.join()} for ${names.join()} beside ${taken.join() || 'nothing'}`, () =>
      assert.deepEqual(freeFileNames(names, taken, ending), expected));
  }

  it('fits in a name of 255 bytes, and has no half of a character', () => {
    for (const name of ['x'.repeat(500), 'ß'.repeat(500), '語'.repeat(500), '🧾'.repeat(500)]) {
      const [file = ''] = freeFileNames([name], [], '.n8n.workflow.json');
      assert.ok(bytesOf(file) <= 255, file);
      assert.doesNotMatch(file, /\p{Cs}/u);
    }
  });

  it('is a path that workflows.json may name, whatever the workflow is called', () => {
    const random = createRandom(7);
    const characters = Array.from('aZ. -_/\\:*?"<>|\u0000\u001f\u202e\ufeff\ud800éßﬁ語🧾con.nul');
    for (let count = 0; count < 2000; count += 1) {
      const length = Math.floor(random() * 12);
      const name = Array.from({ length }, () => characters[Math.floor(random() * characters.length)]).join(
        '',
      );
      const [file = ''] = freeFileNames([name], [], ending);
      assert.ok(isWorkflowPath(file), JSON.stringify([name, file]));
      assert.equal(fileStem(fileStem(name)), fileStem(name), JSON.stringify(name));
    }
  });
});

describe('two names', () => {
  for (const [one, other, expected] of [
    ['A.workflow.json', 'a.WORKFLOW.json', true],
    ['\u00e9', 'e\u0301', true],
    ['σ', 'ς', true],
    ['a', 'b', false],
  ] as const) {
    it(`${one} and ${other} are ${expected ? 'one file' : 'two files'} on some system`, () =>
      assert.equal(fileKey(one) === fileKey(other), expected));
  }
});

describe('a path in workflows.json', () => {
  for (const path of [
    'orders.workflow.json',
    'Order totals.n8n.workflow.json',
    'shop/orders.workflow.json',
    'shop/eu/請求書.workflow.json',
  ]) {
    it(`may be ${path}`, () => assert.ok(isWorkflowPath(path)));
  }
  for (const path of [
    'orders.json',
    '.workflow.json',
    '/etc/orders.workflow.json',
    '../orders.workflow.json',
    'shop/../../orders.workflow.json',
    './orders.workflow.json',
    'shop//orders.workflow.json',
    'shop\\orders.workflow.json',
    'C:\\orders.workflow.json',
    'C:orders.workflow.json',
    '\\\\server\\share\\orders.workflow.json',
    'file:///orders.workflow.json',
    'orders.txt:stream.workflow.json',
    'con.workflow.json',
    'NUL/orders.workflow.json',
    'shop /orders.workflow.json',
    'shop./orders.workflow.json',
    '.git/orders.workflow.json',
    'a\u0000.workflow.json',
    'a\n.workflow.json',
    `${'x'.repeat(250)}.workflow.json`,
    `${'x/'.repeat(600)}.workflow.json`,
  ]) {
    it(`isn't ${JSON.stringify(path.slice(0, 60))}`, () => assert.ok(!isWorkflowPath(path)));
  }
});
