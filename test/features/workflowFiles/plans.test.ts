// A plan as it's shown before it's carried out, over a service that is really one.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { plannedFiles } from '../../../src/features/workflowFiles/carrying.ts';
import { dueSteps, narrowPlan } from '../../../src/features/workflowFiles/planPick.ts';
import { describeStep } from '../../../src/features/workflowFiles/planWords.ts';
import type { ComparedFile } from '../../../src/workflowFiles/compareFolder.ts';
import { type Plan, planPull, planPush } from '../../../src/workflowFiles/plan.ts';
import type { FileState } from '../../../src/workflowFiles/states.ts';

const definition = (expression: string): JsonObject => ({
  name: 'A',
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'end', type: 'output', config: { expression } },
  ],
  edges: [],
});

function compared(file: string, state: FileState, given: Partial<ComparedFile> = {}): ComparedFile {
  const hasFile = state !== 'only there';
  const isThere = state !== 'only here' && state !== 'deleted there';
  return {
    file,
    state,
    workflowId: state === 'only here' ? undefined : `wf_${file}`,
    isLinked: state !== 'only here' && state !== 'only there',
    text: hasFile ? '{}' : undefined,
    here: hasFile ? definition('1') : undefined,
    problem: undefined,
    workflow: undefined,
    there: isThere ? definition('2') : undefined,
    agreement: undefined,
    renamedFrom: undefined,
    candidates: [],
    ...given,
  };
}

const comparison = {
  environment: 'staging',
  workflowIds: [],
  promised: new Map<string, string>(),
  files: [
    compared('both', 'both changed'),
    compared('deleted', 'deleted there'),
    compared('here', 'changed here'),
    compared('new', 'only here', {
      here: {
        name: 'New',
        nodes: [{ id: 'ask', type: 'httpRequest', config: { url: 'https://a.example/{{ secrets.TOKEN }}' } }],
        edges: [],
      },
    }),
    compared('same', 'same'),
    compared('there', 'changed there'),
    compared('theirs', 'only there'),
  ],
};

const words = (plan: Plan) =>
  Object.fromEntries(
    dueSteps(plan).map((step) => {
      const { action, needs } = describeStep(step, plan.environment);
      return [step.compared.file, needs === undefined ? action : `${action} (${needs})`];
    }),
  );

describe('a plan in words', () => {
  it('says of a push what each workflow gets, and what stops', () =>
    assert.deepEqual(words(planPush(comparison)), {
      both: 'both changed: decide first',
      deleted: 'deleted there: decide first',
      here: 'update: end',
      new: 'new workflow (Needs these secrets on staging: TOKEN.)',
    }));

  it('says of a pull what each file gets', () =>
    assert.deepEqual(words(planPull(comparison)), {
      both: 'both changed: decide first',
      deleted: 'deleted there: decide first',
      there: 'update: end',
      theirs: 'new file',
    }));

  it('says which files were renamed, and which may be', () => {
    const files = [
      compared('b', 'same', { renamedFrom: 'a' }),
      compared('d', 'changed here', { renamedFrom: 'c' }),
      compared('e', 'only here', { candidates: ['f'] }),
      compared('f', 'only there', { candidates: ['e'] }),
    ];
    assert.deepEqual(words(planPush({ ...comparison, files })), {
      b: 'renamed from "a"',
      d: 'renamed from "c"; update: end',
      e: 'may be f under another name: decide first',
    });
    assert.deepEqual(words(planPull({ ...comparison, files })), {
      b: 'renamed from "a"',
      d: 'renamed from "c"',
      f: 'may be e now: decide first',
    });
  });

  it('counts the nodes that there is no room for, and takes no icon from a name', () => {
    const nodes = (expression: string) => ({
      nodes: Array.from({ length: 9 }, (_each, index) => ({ id: `node$(x)${index}`, expression })),
    });
    const file = compared('here', 'changed here', { here: nodes('1'), there: nodes('2') });
    const [step] = planPush({ ...comparison, files: [file] }).steps;
    assert.ok(step);
    assert.equal(
      describeStep(step, 'staging').action,
      'update: node$(x)0, node$(x)1, node$(x)2, node$(x)3, node$(x)4, node$(x)5 and 3 more',
    );
  });
});

describe('a part of a plan', () => {
  it('has what is checked, and of the rest only what is noted without doing anything', () => {
    const deployed = { ...comparison, files: comparison.files.filter(({ state }) => state !== 'same') };
    const narrow = narrowPlan(planPush(deployed, { deploys: true }), new Set(['new']));
    assert.deepEqual(
      narrow.steps.map(({ compared: { file }, action, deploys }) => [file, action, deploys]),
      [
        ['new', 'create', true],
        ['there', 'nothing', false],
        ['theirs', 'nothing', false],
      ],
    );
  });

  it('counts nothing as seen that was not chosen', () => {
    const plan = planPull(comparison, { decision: 'mine' });
    assert.equal(plan.steps.find(({ compared: { file } }) => file === 'both')?.keepsMine, true);
    const others = narrowPlan(plan, new Set(['deleted']));
    assert.equal(
      others.steps.some(({ keepsMine }) => keepsMine),
      false,
    );
  });

  it('is plain JSON for code: without results what would be done', () =>
    assert.deepEqual(plannedFiles(narrowPlan(planPush(comparison), new Set(['new', 'both']))).slice(0, 2), [
      { file: 'both', workflowId: 'wf_both', action: 'conflict' },
      { file: 'new', workflowId: null, action: 'create' },
    ]));
});
