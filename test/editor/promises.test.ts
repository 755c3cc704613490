// Each promise of SECURITY.md, and each way of CONTRIBUTING.md that is counted, names a test that exists.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../rig/paths.ts';

interface NamedTest {
  readonly file: string;
  /** As in the file; "…" stands for what differs from test to test. */
  readonly title: string;
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ');

/** The tests that a text names by their file and title. */
const testsIn = (text: string): readonly NamedTest[] =>
  [...text.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({ file, title }));

/** True when the file has a test of that title, whatever its quotes. */
function exists({ file, title }: NamedTest): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const words = title.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const test = new RegExp(`\\bit\\(\\s*(['"\`])${words.join('[^\\n]*?')}\\1`);
  return test.test(readFileSync(path, 'utf8'));
}

describe('SECURITY.md', () => {
  const text = read('SECURITY.md');

  it('names a test with each promise', () => {
    const promises = text.split(' - ').slice(1);
    assert.ok(promises.length > 15);
    assert.equal(testsIn(text).length, text.match(/`test\//g)?.length, 'each file comes with a title');
    assert.deepEqual(
      promises.filter((promise) => !promise.includes('`test/')),
      [],
    );
  });

  it('names only tests that exist', () =>
    assert.deepEqual(
      testsIn(text).filter((test) => !exists(test)),
      [],
    ));
});

describe('the table of clicks and keys in CONTRIBUTING.md', () => {
  const table = read('CONTRIBUTING.md').split('### Clicks and keys')[1]?.split('###')[0] ?? '';

  it('names a test that exists for each way', () => {
    const tests = testsIn(table);
    assert.equal(tests.length, table.match(/ → /g)?.length ?? 0);
    assert.ok(tests.length > 4);
    assert.deepEqual(
      tests.filter((test) => !exists(test)),
      [],
    );
  });
});
