// What "Evaluate" gave is shown only while the expression sees the same: not in another turn, nor once more of the execution has happened.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import { Evaluations } from '../../../../src/features/definitions/expressions/evaluations.ts';
import type { ExpressionPlace } from '../../../../src/definition/expressionPlaces.ts';
import { MemoryLinks } from '../../../support/memory/links.ts';
import { DefinitionTargets } from '../../../../src/ui/definitionTargets.ts';
import { DefinitionTexts } from '../../../../src/ui/definitionTexts.ts';
import { HandClock } from '../../../support/memory/ports.ts';
import { readRecordedData } from '../../../../src/ui/expressions/recordedData.ts';
import { foldNodeRuns, makeNodeLog, statusOf, treeOf } from '../../../support/memory/records.ts';
import { serviceTraits } from '../../../../src/domain/serviceTraits.ts';

const completed = statusOf('completed');
const running = statusOf('running');

const definition = {
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'each', type: 'forEach', config: { items: 'input.lines', result: 'nodes.x' } },
    { id: 'x', type: 'transform', config: { expression: 'item' } },
    { id: 'new', type: 'transform', config: { expression: 'item & nodes.x' } },
    { id: 'end', type: 'transform', config: { expression: '$keys(nodes)' } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'x', branch: 'each' },
    { source: 'x', target: 'new' },
    { source: 'each', target: 'end', branch: 'done' },
  ],
};

/** A document that a test edits. */
class Edited {
  readonly uri = vscode.Uri.file('/edited.workflow.json');
  version = 1;
  #text = JSON.stringify(definition);
  getText(): string {
    return this.#text;
  }
  replace(part: string, by: string): void {
    this.#text = this.#text.replace(part, by);
    this.version += 1;
  }
}

const before: readonly Partial<NodeLog>[] = [
  { nodeId: 'start', nodeType: 'trigger', status: completed },
  { nodeId: 'each', nodeType: 'forEach', status: running },
];
const firstTurn: Partial<NodeLog> = { nodeId: 'x', status: completed, iteration: [0] };
const twoTurns = [...before, firstTurn, { ...firstTurn, iteration: [1] }];

describe('the result of "Evaluate"', () => {
  const given = { kind: 'value', text: '1', isTruncated: false } as const;
  const texts = new DefinitionTexts({
    clock: new HandClock(),
    definitionTargets: new DefinitionTargets(new MemoryLinks()),
    services: { traits: () => serviceTraits.remote },
  });
  let document: Edited;
  let evaluations: Evaluations;
  let announced: number;

  beforeEach(() => {
    document = new Edited();
    announced = 0;
    evaluations = new Evaluations(texts, () => (announced += 1));
  });

  const dataOf = (rows: readonly Partial<NodeLog>[], iteration = 0, id = 'e') => {
    const runTree = treeOf(foldNodeRuns(rows.map((row, index) => makeNodeLog(index + 1, row))));
    const selected = new Map([[JSON.stringify(['iterations', 'each']), iteration]]);
    return readRecordedData({ id, input: undefined }, runTree, selected, texts.of(document), undefined);
  };
  const placeOf = (nodeId: string, member = 'expression'): ExpressionPlace => {
    const place = texts
      .of(document)
      .byId.get(nodeId)
      ?.expressions.find(({ path }) => path[0] === member);
    assert.ok(place);
    return place;
  };
  const show = (place: ExpressionPlace, data: ReturnType<typeof dataOf>) =>
    evaluations.show(document, place, data, given);
  const isShown = (place: ExpressionPlace, data: ReturnType<typeof dataOf>) =>
    evaluations.find(document, place, data) === given;

  for (const [what, nodeId] of [
    ['with a run', 'x'],
    ['without a run', 'new'],
  ] as const)
    it(`of a node ${what} in a loop is shown in its iteration alone`, () => {
      const place = placeOf(nodeId);
      show(place, dataOf(twoTurns));
      assert.equal(announced, 1);
      assert.equal(isShown(place, dataOf(twoTurns)), true);
      assert.equal(isShown(place, dataOf(twoTurns, 1)), false);
      assert.equal(isShown(place, dataOf(twoTurns, 0, 'other')), false);
      assert.equal(isShown({ ...place, expression: 'item + 1' }, dataOf(twoTurns)), false);
    });

  for (const [what, nodeId, member, isLasting] of [
    ['of a node that has a run', 'x', 'expression', true],
    ['of a node without a run', 'end', 'expression', false],
    ['of a node without a run in a loop', 'new', 'expression', false],
    ["of a loop's result", 'each', 'result', false],
  ] as const)
    it(`${what} is ${isLasting ? 'still' : 'no longer'} shown once another node has completed`, () => {
      const place = placeOf(nodeId, member);
      const rows = (state: typeof running) => [
        ...before,
        firstTurn,
        { nodeId: 'y', status: state, iteration: [0] },
        { nodeId: 'z', status: state },
      ];
      show(place, dataOf(rows(running)));
      assert.equal(isShown(place, dataOf(rows(running))), true);
      assert.equal(isShown(place, dataOf(rows(completed))), isLasting);
    });

  it('is no longer shown once the node has run, or is in no loop any more', () => {
    const place = placeOf('new');
    const data = dataOf(twoTurns);
    show(place, data);
    const ran: Partial<NodeLog> = { nodeId: 'new', status: running, iteration: [0] };
    assert.equal(isShown(place, dataOf([...twoTurns, ran])), false);
    document.replace('"x","target":"new"', '"start","target":"new"');
    assert.equal(isShown(place, data), false);
  });

  it('is no longer shown once the items of the loop are found with another expression', () => {
    const place = placeOf('new');
    show(place, dataOf(twoTurns));
    document.replace('input.lines', 'input.others');
    assert.equal(isShown(place, dataOf(twoTurns)), false);
  });

  it('is kept where somebody still asks with data from before', () => {
    const place = placeOf('end');
    const [earlier, now] = [dataOf(before), dataOf([...before, { nodeId: 'z', status: completed }])];
    show(place, now);
    assert.equal(isShown(place, earlier), false);
    assert.equal(isShown(place, now), true);
  });
});
