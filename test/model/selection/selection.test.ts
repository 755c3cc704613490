// What is selected in one place is selected in all, and no answer to a selection goes round in circles.
import assert from 'node:assert/strict';
import { type NodeSelection, Selection } from '../../../src/model/selection/selection.ts';

const target = { connectionId: 'c', workflowId: 'w' };
const whole: NodeSelection = { target, executionId: 'e', nodeId: 'a', nodeRunKey: 'a 1', by: 'tree' };

describe('the selected node', () => {
  const selection = new Selection();
  const reported: (string | null)[] = [];
  selection.node.onDidChange((node) => reported.push(node?.nodeId ?? null));
  beforeEach(() => {
    selection.selectNode({ ...whole, nodeId: null, nodeRunKey: null });
    selection.selectNode(whole);
    reported.length = 0;
  });

  it('is reported once, however often it is selected and wherever', () => {
    selection.selectNode({ ...whole, by: 'graph' });
    selection.selectInDefinition({ target, nodeId: 'a' });
    assert.deepEqual(reported, []);
    selection.selectNode({ ...whole, nodeId: 'b', by: 'graph' });
    assert.deepEqual(reported, ['b']);
  });

  it('keeps its execution when another node is selected in the definition, but not the node run', () => {
    selection.selectInDefinition({ target, nodeId: 'b' });
    assert.deepEqual(selection.node.current, { ...whole, nodeId: 'b', nodeRunKey: null, by: 'definition' });
  });

  it('is of no execution when another definition is looked at', () => {
    const other = { ...target, workflowId: 'other' };
    selection.selectInDefinition({ target: other, nodeId: 'a' });
    assert.equal(selection.node.current?.executionId, null);
    assert.equal(selection.node.current.nodeRunKey, null);
  });
});
