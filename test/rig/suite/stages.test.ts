// Each test that needs no VS Code runs in one stage: among the plain ones, or among those of the whole system.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { root } from '../paths.ts';
import { allStages, filesOf, patternsOf } from './stages.ts';

describe('The stages of tests that need no VS Code', () => {
  const plain = filesOf('.mocharc.json', ['']);
  const system = filesOf('.mocharc.system.json', ['']);

  it('are named by patterns without a comma, at which Mocha cuts them', () => {
    for (const config of ['.mocharc.json', '.mocharc.system.json', '.mocharc.postgres.json'])
      assert.deepEqual(
        patternsOf(config).filter((pattern) => pattern.includes(',')),
        [],
      );
  });

  it('have no file in two of them', () => {
    assert.deepEqual(
      system.filter((file) => plain.includes(file)),
      [],
    );
  });

  it('leave out none', () => {
    const others = ['host', 'package', 'n8n', 'page', 'service/postgres'].map(
      (folder) => `test/${folder}/**`,
    );
    const exclude = [...others, 'test/api/budget/ledger/fourProcesses.test.ts'];
    const all = globSync('test/**/*.test.ts', { cwd: root, exclude });
    assert.deepEqual([...plain, ...system].toSorted(), all.toSorted());
  });

  it('run each file of the page, of the package and by the real clock', () => {
    const run = allStages.flat(2).flatMap(({ args }) => args);
    const files = globSync(['test/page/*.test.ts', 'test/package/*.test.ts'], { cwd: root });
    assert.deepEqual(
      [...files, 'test/api/budget/ledger/fourProcesses.test.ts'].filter((file) => !run.includes(file)),
      [],
    );
  });
});
