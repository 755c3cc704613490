// Each promise of SECURITY.md, and each way that is counted in clicks and keys, names a test that exists.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../rig/paths.ts';
import { readText } from '../support/manifest.ts';

interface NamedTest {
  readonly file: string;
  /** As in the file; "…" stands for what differs from test to test. */
  readonly title: string;
}

/** The tests that a text links by their headings. */
const linkedTests = (text: string): readonly NamedTest[] =>
  [...text.matchAll(/\[([^\]]+)\]\((test\/[^)]+)\)/g)].map(([, title = '', file = '']) => ({ file, title }));

/** The tests that a text names by their file and title. */
const testsIn = (text: string): readonly NamedTest[] =>
  [...text.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({ file, title }));

/** True when the file has a test, or a group of tests, of that title, whatever its quotes and capitals. */
function exists({ file, title }: NamedTest): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const words = title.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const test = new RegExp(`\\b(?:it|describe)\\(\\s*(['"\`])${words.join('[^\\n]*?')}\\1`, 'i');
  return test.test(readFileSync(path, 'utf8'));
}

describe('SECURITY.md', () => {
  const text = readText('SECURITY.md');
  const promises = [...text.matchAll(/^- (.+)/gm)].map(([, promise = '']) => promise);

  it('begins with how to report a weakness', () =>
    assert.match(text, /^# Security\n\n## Report a weakness\n/));

  it('links with each promise the test that holds it', () => {
    assert.ok(promises.length > 30);
    assert.deepEqual(
      promises.filter((promise) => linkedTests(promise).length === 0),
      [],
    );
  });

  it('links only tests that exist, by their headings', () =>
    assert.deepEqual(
      linkedTests(text).filter((test) => !exists(test)),
      [],
    ));
});

describe('the table of clicks and keys', () => {
  const table = readText('test/host/README.md').split('## Clicks and keys')[1]?.split('\n## ')[0] ?? '';

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
