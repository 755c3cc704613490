import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { renderWorkflow } from '../../../src/features/workflows/workflowRow.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';

const now = Date.parse('2026-01-05T12:00:00.000Z');

function render(change: Partial<Workflow>): vscode.TreeItem {
  const updatedAt = new Date(now - 5 * 60_000);
  const workflow = makeWorkflow('wf_1', { name: 'Lead intake', updatedAt, ...change });
  return renderWorkflow(workflow, now);
}

describe('the row of a workflow', () => {
  const rows: readonly (readonly [boolean | null, boolean | null, string, string, string])[] = [
    [true, false, 'Lead intake, deployed, 5 min ago', '5 min ago', 'workflow,deployed'],
    [true, null, 'Lead intake, deployed, 5 min ago', '5 min ago', 'workflow,deployed'],
    [
      ...([true, true, 'Lead intake, edited since deployed, 5 min ago'] as const),
      ...(['edited since deployed · 5 min ago', 'workflow,deployed,draftDiffers'] as const),
    ],
    [
      ...([false, false, 'Lead intake, not deployed, 5 min ago'] as const),
      ...(['not deployed · 5 min ago', 'workflow,notDeployed'] as const),
    ],
    [null, null, 'Lead intake, 5 min ago', '5 min ago', 'workflow'],
  ];
  for (const [isDeployed, hasUndeployedChanges, label, description, contextValue] of rows)
    it(`says "${label}"`, () => {
      const item = render({ isDeployed, hasUndeployedChanges });
      assert.deepEqual(
        [item.accessibilityInformation?.label, item.description, item.contextValue],
        [label, description, contextValue],
      );
    });

  it('tells in its tooltip what it means that the draft was edited', () => {
    const tooltipOf = ({ tooltip }: vscode.TreeItem) =>
      tooltip instanceof vscode.MarkdownString ? tooltip.value : assert.fail();
    assert.match(
      tooltipOf(render({ isDeployed: true, hasUndeployedChanges: true })),
      /edited since deployed[^]*Executions take what was deployed, not the draft/,
    );
    assert.doesNotMatch(tooltipOf(render({ isDeployed: true })), /draft/);
  });
});

describe('text from outside in the row of a workflow', () => {
  it('is never trusted in a tooltip', () => {
    const item = render({ name: '[a](command:evil)' });
    assert.ok(item.tooltip instanceof vscode.MarkdownString);
    assert.notEqual(item.tooltip.isTrusted, true);
    assert.notEqual(item.tooltip.supportHtml, true);
    assert.ok(!item.tooltip.value.includes('[a](command'));
  });
});
