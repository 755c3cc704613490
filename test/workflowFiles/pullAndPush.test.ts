// Every state, under a pull and a push, with each decision: what the plan says, and what is on both sides afterwards.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { bodyLimits, readBodyText } from '../../src/api/http/completeResponse.ts';
import type { Decision } from '../../src/workflowFiles/plan.ts';
import type { FileState } from '../../src/workflowFiles/states.ts';
import { isJsonArray, isJsonObject, type JsonValue, parseJson, stringifyJson } from '../../src/base/json.ts';
import { actionsOf, Clone, connect, createRemote, definitionOf, kindsOf, type Remote } from './filesWorld.ts';

const file = 'Orders.workflow.json';
const [base, mine, theirs] = [
  definitionOf('Orders', 'input'),
  definitionOf('Orders', 'input.mine'),
  definitionOf('Orders', 'input.theirs'),
];

const withoutVersions = (value: JsonValue): JsonValue => {
  if (isJsonArray(value)) return value.map(withoutVersions);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !['updatedAt', 'version'].includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutVersions(member)]));
};

describe('a pull and a push', () => {
  let remote: Remote;
  beforeEach(async () => {
    remote = await createRemote();
  });
  afterEach(() => remote.dispose());

  /** A clone whose only workflow is in a state. */
  async function inState(state: FileState): Promise<Clone> {
    const clone = new Clone(remote.model);
    if (state === 'only here') {
      clone.write(file, mine);
      return clone;
    }
    const workflowId = await remote.create(base);
    if (state === 'only there') return clone;
    await clone.pull();
    if (state === 'changed here' || state === 'both changed') clone.write(file, mine);
    if (state === 'changed there' || state === 'both changed') await remote.change(workflowId, theirs);
    if (state === 'deleted there') await remote.delete(workflowId);
    return clone;
  }

  /** What the file and the service have, as "mine", "theirs", "base" or "none". */
  async function sides(clone: Clone): Promise<readonly [here: string, there: string]> {
    const nameOf = (definition: unknown): string => {
      const text = JSON.stringify(definition ?? null);
      return ['input.mine', 'input.theirs', 'input'].find((each) => text.includes(`"${each}"`)) ?? 'none';
    };
    const id = clone.idOf(file);
    const there = id === undefined ? undefined : await remote.read(id).catch(() => undefined);
    return [nameOf(clone.definition(file)), nameOf(there)];
  }

  type Row = readonly [
    kind: 'pull' | 'push',
    decision: Decision | undefined,
    action: string,
    here: string,
    there: string,
    after: FileState | undefined,
  ];
  const [inputMine, inputTheirs] = ['input.mine', 'input.theirs'];
  const rows: Readonly<Record<FileState, readonly Row[]>> = {
    same: (['pull', 'push'] as const).flatMap((kind) =>
      ([undefined, 'mine', 'theirs'] as const).map((decision): Row => [
        kind,
        decision,
        'nothing',
        'input',
        'input',
        'same',
      ]),
    ),
    'changed here': [
      ['pull', undefined, 'nothing', inputMine, 'input', 'changed here'],
      ['pull', 'mine', 'nothing', inputMine, 'input', 'changed here'],
      ['pull', 'theirs', 'nothing', inputMine, 'input', 'changed here'],
      ['push', undefined, 'update workflow', inputMine, inputMine, 'same'],
      ['push', 'mine', 'update workflow', inputMine, inputMine, 'same'],
      ['push', 'theirs', 'update workflow', inputMine, inputMine, 'same'],
    ],
    'changed there': [
      ['pull', undefined, 'update file', inputTheirs, inputTheirs, 'same'],
      ['pull', 'mine', 'update file', inputTheirs, inputTheirs, 'same'],
      ['pull', 'theirs', 'update file', inputTheirs, inputTheirs, 'same'],
      ['push', undefined, 'nothing', 'input', inputTheirs, 'changed there'],
      ['push', 'mine', 'nothing', 'input', inputTheirs, 'changed there'],
      ['push', 'theirs', 'nothing', 'input', inputTheirs, 'changed there'],
    ],
    'both changed': [
      ['pull', undefined, 'conflict', inputMine, inputTheirs, 'both changed'],
      ['pull', 'mine', 'nothing', inputMine, inputTheirs, 'changed here'],
      ['pull', 'theirs', 'update file', inputTheirs, inputTheirs, 'same'],
      ['push', undefined, 'conflict', inputMine, inputTheirs, 'both changed'],
      ['push', 'mine', 'update workflow', inputMine, inputMine, 'same'],
      ['push', 'theirs', 'update file', inputTheirs, inputTheirs, 'same'],
    ],
    'only here': [
      ['pull', undefined, 'nothing', inputMine, 'none', 'only here'],
      ['pull', 'mine', 'nothing', inputMine, 'none', 'only here'],
      ['pull', 'theirs', 'nothing', inputMine, 'none', 'only here'],
      ['push', undefined, 'create workflow', inputMine, inputMine, 'same'],
      ['push', 'mine', 'create workflow', inputMine, inputMine, 'same'],
      ['push', 'theirs', 'create workflow', inputMine, inputMine, 'same'],
    ],
    'only there': [
      ['pull', undefined, 'create file', 'input', 'input', 'same'],
      ['pull', 'mine', 'create file', 'input', 'input', 'same'],
      ['pull', 'theirs', 'create file', 'input', 'input', 'same'],
      ['push', undefined, 'nothing', 'none', 'none', 'only there'],
      ['push', 'mine', 'nothing', 'none', 'none', 'only there'],
      ['push', 'theirs', 'nothing', 'none', 'none', 'only there'],
    ],
    'deleted there': [
      ['pull', undefined, 'conflict', 'input', 'none', 'deleted there'],
      ['pull', 'mine', 'nothing', 'input', 'none', 'deleted there'],
      ['pull', 'theirs', 'delete file', 'none', 'none', undefined],
      ['push', undefined, 'conflict', 'input', 'none', 'deleted there'],
      ['push', 'mine', 'create workflow', 'input', 'input', 'same'],
      ['push', 'theirs', 'delete file', 'none', 'none', undefined],
    ],
  };

  for (const [state, ofState] of Object.entries(rows) as [FileState, readonly Row[]][])
    for (const [kind, decision, action, here, there, after] of ofState)
      it(`${kind} of "${state}"${decision === undefined ? '' : ` with --${decision}`}: ${action}`, async () => {
        const clone = await inState(state);
        assert.deepEqual(await clone.states(), { [file]: state });
        const plan = await clone.plan(kind, { decision });
        assert.deepEqual(actionsOf(plan), { [file]: action });
        const results = await clone[kind]({ decision });
        assert.deepEqual(kindsOf(results), [action === 'conflict' ? 'conflict' : 'done']);
        assert.deepEqual(await sides(clone), [here, there]);
        assert.deepEqual(await clone.states(), after === undefined ? {} : { [file]: after });
        // Twice does nothing.
        const before = new Map(clone.folder.files);
        const again = await clone.plan(kind);
        assert.ok(again.steps.every((step) => ['nothing', 'conflict'].includes(step.action)));
        await clone[kind]();
        assert.deepEqual(clone.folder.files, before);
        assert.deepEqual(await sides(clone), [here, there]);
      });

  it('finds its workflow again when workflows.json was left behind, as a pipeline does that keeps .workflows', async () => {
    const clone = await inState('only here');
    const workflowsFile = clone.text('workflows.json') ?? '';
    await clone.push();
    const id = clone.idOf(file);
    clone.folder.files.set('workflows.json', workflowsFile);
    clone.write(file, theirs);
    assert.deepEqual(actionsOf(await clone.plan('push')), { [file]: 'update workflow' });
    await clone.push();
    assert.equal(clone.idOf(file), id);
    assert.deepEqual(await remote.names(), ['Orders']);
  });

  it('agree anew what both sides were changed to, also where records have no version', async () => {
    const model = await connect(remote.service, {
      through: (port) => async (url, request) => {
        const response = await port(url, request);
        const body = parseJson(await readBodyText(response, bodyLimits.other, true));
        const text = stringifyJson(withoutVersions(body ?? null));
        return { ...response, body: Readable.from([Buffer.from(text)]) };
      },
    });
    const clone = new Clone(model);
    const workflowId = await remote.create(base);
    await clone.pull();
    await remote.change(workflowId, mine);
    clone.write(file, mine);
    await clone.pull();
    clone.write(file, theirs);
    assert.deepEqual(await clone.states(), { [file]: 'changed here' });
    model.dispose();
  });

  it('of two files of one name, and of a name that is there already, create what a person asked for', async () => {
    const clone = await inState('only here');
    clone.write('Second.workflow.json', mine);
    await remote.create(mine);
    await clone.push();
    assert.deepEqual(await remote.names(), ['Orders', 'Orders', 'Orders']);
  });

  it('says which workflow it has created, also where that cannot be deployed', async () => {
    const clone = new Clone(remote.model);
    const faulty = { edges: [{ source: 'start', target: 'gone' }] };
    clone.write('A.workflow.json', definitionOf('A', 'input', faulty));
    const [result] = await clone.push({ deploys: true });
    assert.equal(result?.kind, 'failed');
    assert.equal(result.workflowId, clone.idOf('A.workflow.json'));
    assert.ok(result.workflowId !== undefined);
  });
});
