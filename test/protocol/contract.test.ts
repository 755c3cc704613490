import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../rig/paths.ts';

/** The numbers of the headings, and of the numbered items below them: "7", "7.6", "7.6.3". */
function numbersOf(contract: string): ReadonlySet<string> {
  const numbers = new Set<string>();
  let heading = '';
  for (const line of contract.split('\n')) {
    heading = /^#{2,3} (\d+(?:\.\d+)*) /.exec(line)?.[1] ?? heading;
    const item = /^(\d+)\. /.exec(line)?.[1];
    numbers.add(item === undefined ? heading : `${heading}.${item}`);
  }
  return numbers;
}

interface Citation {
  readonly file: string;
  readonly number: string;
}

const cited = /contract sections? (\d+(?:\.\d+)*(?:(?:, \d+(?:\.\d+)*)* and \d+(?:\.\d+)*)?)/g;

/** What the comments of a file cite, also where a line ends in the middle of it. */
function citationsOf(file: string): readonly Citation[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/\s+(?:\/\/|\*)?\s*/g, ' ');
  return [...text.matchAll(cited)]
    .flatMap(([, list = '']) => list.match(/\d+(?:\.\d+)*/g) ?? [])
    .map((number) => ({ file, number }));
}

describe('the contract', () => {
  const contract = readFileSync(join(root, 'src', 'protocol', 'contract.md'), 'utf8');

  it('has every section that a comment cites', () => {
    const citations = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root }).flatMap(citationsOf);
    assert.ok(citations.length > 20);
    const numbers = numbersOf(contract);
    assert.deepEqual(
      citations.filter(({ number }) => !numbers.has(number)),
      [],
    );
  });

  it('would miss one that it lacks', () => assert.ok(!numbersOf(contract).has('7.9')));
});
