// Each promise of SECURITY.md names a test that exists.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../rig/paths.ts';

interface NamedTest {
  readonly file: string;
  /** As in the file; "…" stands for what differs from test to test. */
  readonly title: string;
}

const text = readFileSync(join(root, 'SECURITY.md'), 'utf8').replaceAll(/\s+/g, ' ');
const named: readonly NamedTest[] = [...text.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)].map(
  ([, file = '', title = '']) => ({ file, title }),
);

/** True when the file has a test of that title, whatever its quotes. */
function exists({ file, title }: NamedTest): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const words = title.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const test = new RegExp(`\\bit\\(\\s*(['"\`])${words.join('[^\\n]*?')}\\1`);
  return test.test(readFileSync(path, 'utf8'));
}

describe('SECURITY.md', () => {
  it('names a test with each promise', () => {
    const promises = text.split(' - ').slice(1);
    assert.ok(promises.length > 15);
    assert.equal(named.length, text.match(/`test\//g)?.length, 'each file comes with a title');
    assert.deepEqual(
      promises.filter((promise) => !promise.includes('`test/')),
      [],
    );
  });

  it('names only tests that exist', () =>
    assert.deepEqual(
      named.filter((test) => !exists(test)),
      [],
    ));
});
