// What is selected in one place is selected in all, and no answer to a selection goes round in circles.
import assert from 'node:assert/strict';
import { SelectedNode, type NodeSelection } from '../../../src/model/executions/selectedNode.ts';

const target = { connectionId: 'c', workflowId: 'w' };
const whole: NodeSelection = { target, executionId: 'e', nodeId: 'a', nodeRunKey: 'a 1', by: 'tree' };

describe('the selected node', () => {
  const selectedNode = new SelectedNode();
  const told: (string | null)[] = [];
  selectedNode.onDidChange((selection) => told.push(selection?.nodeId ?? null));
  beforeEach(() => {
    selectedNode.select({ ...whole, nodeId: null, nodeRunKey: null });
    selectedNode.select(whole);
    told.length = 0;
  });

  it('is told once, however often it is selected and wherever', () => {
    selectedNode.select({ ...whole, by: 'graph' });
    selectedNode.selectInDefinition({ target, nodeId: 'a' });
    assert.deepEqual(told, []);
    selectedNode.select({ ...whole, nodeId: 'b', by: 'graph' });
    assert.deepEqual(told, ['b']);
  });

  it('keeps its execution when another node is selected in the definition, but not the node run', () => {
    selectedNode.selectInDefinition({ target, nodeId: 'b' });
    assert.deepEqual(selectedNode.current, { ...whole, nodeId: 'b', nodeRunKey: null, by: 'definition' });
  });

  it('is of no execution when another definition is looked at', () => {
    const other = { ...target, workflowId: 'other' };
    selectedNode.selectInDefinition({ target: other, nodeId: 'a' });
    assert.equal(selectedNode.current?.executionId, null);
    assert.equal(selectedNode.current.nodeRunKey, null);
  });
});
