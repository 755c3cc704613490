// Where a preset goes must be clear whatever the folders of a workspace are called.
import assert from 'node:assert/strict';
import { folderNames, presetPath } from '../../src/ui/presetFiles.ts';

const cases: readonly {
  readonly what: string;
  readonly folders: readonly (readonly [name: string, path: string, authority?: string])[];
  readonly names: readonly string[];
}[] = [
  { what: 'no folder', folders: [], names: [] },
  { what: 'one folder', folders: [['app', '/w/app']], names: ['app'] },
  {
    what: 'different names',
    folders: [
      ['app', '/w/app'],
      ['site', '/w/site'],
    ],
    names: ['app', 'site'],
  },
  {
    what: 'namesakes among others',
    folders: [
      ['app', '/w/first/app'],
      ['site', '/w/site'],
      ['app', '/w/second/app'],
    ],
    names: ['first/app', 'site', 'second/app'],
  },
  {
    what: 'namesakes that differ further up',
    folders: [
      ['app', '/a/x/app'],
      ['app', '/b/x/app'],
    ],
    names: ['a/x/app', 'b/x/app'],
  },
  {
    what: 'one above the other',
    folders: [
      ['app', '/app'],
      ['app', '/app/app'],
    ],
    names: ['/app', 'app/app'],
  },
  {
    what: 'the same path on two machines',
    folders: [
      ['app', '/app', 'one'],
      ['app', '/app', 'two'],
    ],
    names: ['one/app', 'two/app'],
  },
  {
    what: 'given names that are the same',
    folders: [
      ['Shop', '/w/front'],
      ['Shop', '/w/back'],
    ],
    names: ['front', 'back'],
  },
];

describe('names of folders', () => {
  for (const { what, folders, names } of cases)
    it(what, () => {
      const given = folders.map(([name, path, authority = '']) => ({ name, uri: { authority, path } }));
      assert.deepEqual(folderNames(given), names);
    });
});

describe('the path of a new preset', () => {
  for (const [workflowName, path] of [
    ['Orders', '.workflows/Orders.preset.input.json'],
    ['a/b: c', '.workflows/a b c.preset.input.json'],
    ['aux', '.workflows/_aux.preset.input.json'],
    ['...', '.workflows/workflow.preset.input.json'],
  ] as const)
    it(`of ${workflowName} is ${path}`, () => assert.equal(presetPath(workflowName, 'preset'), path));

  it('fits in the 255 bytes of a name', () => {
    const [, name = ''] = presetPath('語'.repeat(100), 'preset').split('/');
    assert.ok(Buffer.byteLength(name) <= 255, name);
  });
});
