// A linked file under another name: recognized, or a person decides. Never a second workflow by itself.
import assert from 'node:assert/strict';
import { isJsonObject, parseJson, stringifyJson } from '../../src/base/json.ts';
import { renameFile } from '../../src/workflowFiles/editWorkflowsFile.ts';
import { fileKey } from '../../src/workflowFiles/fileNames.ts';
import { asListed, openWorkflowsFile } from '../../src/workflowFiles/readFolder.ts';
import { MemoryFolder } from '../support/memory/filesFolder.ts';
import { actionsOf, Clone, createRemote, definitionOf, kindsOf, type Remote, textOf } from './filesWorld.ts';

const [a, b, c] = ['A.workflow.json', 'B.workflow.json', 'flows/C.workflow.json'] as const;

const withNodes = (name: string, ...ids: readonly string[]) =>
  definitionOf(name, 'input', {
    nodes: ids.map((id) => ({ id, name: id, type: 'trigger', config: {} })),
    edges: [],
  });

describe('a renamed file', () => {
  let remote: Remote;
  let clone: Clone;
  let workflowId = '';
  beforeEach(async () => {
    remote = await createRemote();
    clone = new Clone(remote.model);
    workflowId = await remote.create(definitionOf('A'));
    await clone.pull();
  });
  afterEach(() => remote.dispose());

  const move = (from: string, to: string): void => {
    clone.folder.files.set(to, clone.text(from) ?? '');
    clone.folder.files.delete(from);
  };
  const renamed = async () => {
    const { files } = await clone.compare();
    return files.map(({ file, state, renamedFrom }) => [file, state, renamedFrom]);
  };

  for (const to of [b, c])
    for (const kind of ['pull', 'push'] as const)
      it(`is ${to}, and its link follows with a ${kind}`, async () => {
        move(a, to);
        const text = clone.text(to);
        assert.deepEqual(await renamed(), [[to, 'same', a]]);
        assert.deepEqual(actionsOf(await clone.plan(kind)), { [to]: 'nothing' });
        await clone[kind]();
        assert.deepEqual([clone.idOf(to), clone.idOf(a)], [workflowId, undefined]);
        assert.deepEqual([clone.text(to), clone.text(a)], [text, undefined]);
        assert.deepEqual(await renamed(), [[to, 'same', undefined]]);
        assert.deepEqual(await remote.names(), ['A']);
      });

  type Row = readonly [what: string, change: () => void | Promise<void>, state: string, pushed: string];
  const rows: readonly Row[] = [
    ['as it was', () => undefined, 'same', 'nothing'],
    ['and edited', () => clone.write(b, definitionOf('A', 'input.mine')), 'changed here', 'update workflow'],
    [
      'while the workflow was changed',
      () => remote.change(workflowId, definitionOf('A', 'input.theirs')),
      'changed there',
      'nothing',
    ],
    [
      'while both were changed',
      async () => {
        clone.write(b, definitionOf('A', 'input.mine'));
        await remote.change(workflowId, definitionOf('A', 'input.theirs'));
      },
      'both changed',
      'conflict',
    ],
    ['while the workflow was deleted', () => remote.delete(workflowId), 'deleted there', 'conflict'],
    [
      'of which nothing was agreed',
      () => void clone.folder.files.delete('.workflows/test.json'),
      'same',
      'nothing',
    ],
    [
      'and edited, of which nothing was agreed',
      () => {
        clone.folder.files.delete('.workflows/test.json');
        clone.write(b, definitionOf('A', 'input.mine'));
      },
      'both changed',
      'conflict',
    ],
    [
      'and edited, with its file in two environments',
      () => {
        clone.write(b, definitionOf('A', 'input.mine'));
        const links = parseJson(clone.text('workflows.json') ?? '');
        assert.ok(isJsonObject(links));
        const workflows = { [a]: { live: 'wf_9', test: workflowId } };
        clone.folder.files.set('workflows.json', stringifyJson({ ...links, workflows }, 2));
      },
      'changed here',
      'update workflow',
    ],
  ];
  for (const [what, change, state, pushed] of rows)
    it(`${what}: is "${state}"`, async () => {
      move(a, b);
      await change();
      assert.deepEqual(await renamed(), [[b, state, a]]);
      assert.deepEqual(actionsOf(await clone.plan('push')), { [b]: pushed });
      await clone.push();
      assert.equal(clone.idOf(a), undefined);
      assert.equal(clone.idOf(b), workflowId);
      assert.ok((await remote.names()).length <= 1);
    });

  it('stays where it is when it is pulled', async () => {
    move(a, c);
    await remote.change(workflowId, definitionOf('A', 'input.theirs'));
    await clone.pull();
    assert.deepEqual(clone.definition(c), definitionOf('A', 'input.theirs'));
    assert.equal(clone.text(a), undefined);
    assert.deepEqual(await renamed(), [[c, 'same', undefined]]);
  });

  it('keeps its place in workflows.json, and its links of other environments', () => {
    const text = `{\n  "workflows": {\n    "A": { "one": "1", "two": "2" },\n    "Z": {"one":"26"}\n  }\n}`;
    assert.equal(renameFile(text, 'A', 'B'), text.replace('"A"', '"B"'));
    assert.equal(renameFile(text, 'None', 'B'), text);
    const both = `{"workflows": {"A": {"one": "1", "two": "2"}, "B": {"one": "3"}}}`;
    assert.deepEqual(parseJson(renameFile(both, 'A', 'B')), {
      workflows: { B: { one: '3', two: '2' } },
    });
  });

  it('is not a copy, whose original is still there', async () => {
    clone.folder.files.set(b, clone.text(a) ?? '');
    assert.deepEqual(await renamed(), [
      [a, 'same', undefined],
      [b, 'only here', undefined],
    ]);
  });

  const decided = async (): Promise<readonly (readonly [string, string, readonly string[]])[]> => {
    const { files } = await clone.compare();
    return files.map(({ file, state, candidates }) => [file, state, candidates]);
  };

  it('is decided by a person where two files may be it', async () => {
    const text = clone.text(a) ?? '';
    clone.folder.files.delete(a);
    for (const path of [b, 'B2.workflow.json']) clone.folder.files.set(path, text);
    assert.deepEqual(await decided(), [
      [a, 'only there', [b, 'B2.workflow.json']],
      [b, 'only here', [a]],
      ['B2.workflow.json', 'only here', [a]],
    ]);
    assert.deepEqual(kindsOf(await clone.push()), ['done', 'conflict', 'conflict']);
    assert.deepEqual(kindsOf(await clone.pull()), ['conflict', 'done', 'done']);
    assert.deepEqual(await remote.names(), ['A']);
    await clone.pull({ decision: 'theirs' });
    assert.deepEqual(clone.definition(a), definitionOf('A'));
  });

  it('is decided by a person where only its nodes are the same', async () => {
    clone.folder.files.delete(a);
    clone.write(b, definitionOf('B', 'input.other'));
    assert.deepEqual(actionsOf(await clone.plan('push')), { [a]: 'nothing', [b]: 'conflict' });
    await clone.push({ decision: 'mine' });
    assert.deepEqual(await remote.names(), ['A', 'B']);
  });

  it('is a new one where nothing is the same', async () => {
    clone.folder.files.delete(a);
    clone.write(b, withNodes('B', 'first', 'second'));
    assert.deepEqual(actionsOf(await clone.plan('push')), { [a]: 'nothing', [b]: 'create workflow' });
  });

  it('swaps names with another one', async () => {
    await remote.create(withNodes('B', 'first'));
    await clone.pull();
    const [one, other] = [clone.text(a) ?? '', clone.text(b) ?? ''];
    clone.folder.files.delete(a);
    clone.folder.files.delete(b);
    clone.folder.files.set('C.workflow.json', one);
    clone.folder.files.set('D.workflow.json', other);
    assert.deepEqual(await renamed(), [
      ['C.workflow.json', 'same', a],
      ['D.workflow.json', 'same', b],
    ]);
  });

  it('is one file on a disk where both names are the same', async () => {
    const folder = new MemoryFolder([...clone.folder.files]);
    folder.files.delete(a);
    folder.files.set('a.workflow.json', textOf(definitionOf('A')));
    folder.read = (path) => Promise.resolve(folder.files.get(path === a ? 'a.workflow.json' : path));
    clone = new Clone(remote.model, folder);
    assert.deepEqual(await renamed(), [[a, 'same', undefined]]);
  });

  it('is named as the folder has it, in whichever case a person names it on such a disk', async () => {
    const folder = new MemoryFolder([...clone.folder.files, [c, '{}'], ['flows/D.workflow.json', '{}']]);
    const file = (await openWorkflowsFile(folder)) ?? assert.fail();
    const asNamed = (paths: readonly string[]) => asListed(folder, file, paths);
    const named = ['a.workflow.json', 'Flows/c.Workflow.json', 'other.workflow.json'];
    // Where the case counts, such a file isn't there.
    assert.deepEqual(await asNamed(named), named);
    const read = folder.read.bind(folder);
    folder.read = (path) =>
      read([...folder.files.keys()].find((each) => fileKey(each) === fileKey(path)) ?? path);
    assert.deepEqual(await asNamed([...named, c]), [a, c, 'other.workflow.json', c]);
  });
});
