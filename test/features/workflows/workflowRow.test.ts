import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { renderWorkflow } from '../../../src/features/workflows/workflowRow.ts';
import { makeExecution, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import type { Execution } from '../../../src/domain/execution.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';

const now = Date.parse('2026-01-05T12:00:00.000Z');

function render(change: Partial<Workflow>, latest?: Partial<Execution>): vscode.TreeItem {
  const updatedAt = new Date(now - 5 * 60_000);
  const workflow = makeWorkflow('wf_1', { name: 'Lead intake', updatedAt, ...change });
  return renderWorkflow(workflow, latest && makeExecution('exec_1', latest), now);
}

const ago = (minutes: number): Pick<Execution, 'startedAt'> => ({
  startedAt: new Date(now - minutes * 60_000),
});
const asDeployed = { isDeployed: true, hasUndeployedChanges: false };
const edited = { isDeployed: true, hasUndeployedChanges: true };
const idle = { isDeployed: false, hasUndeployedChanges: false };

describe('the row of a workflow', () => {
  const rows: readonly (readonly [Partial<Workflow>, string, string, string])[] = [
    [asDeployed, 'Lead intake, deployed', '', 'workflow,deployed'],
    [{ isDeployed: true, hasUndeployedChanges: null }, 'Lead intake, deployed', '', 'workflow,deployed'],
    [edited, 'Lead intake, edited since deployed', 'edited since deployed', 'workflow,deployed,draftDiffers'],
    [idle, 'Lead intake, not deployed', 'not deployed', 'workflow,notDeployed'],
    [{ isDeployed: null, hasUndeployedChanges: null }, 'Lead intake', '', 'workflow'],
    [{ ...idle, isArchived: true }, 'Lead intake, archived', 'archived', 'workflow,archived'],
    [{ ...idle, isDeploying: true }, 'Lead intake, deploying…', 'deploying…', 'workflow,notDeployed'],
  ];
  for (const [change, label, description, contextValue] of rows)
    it(`says "${label}"`, () => {
      const item = render(change);
      assert.deepEqual(
        [item.accessibilityInformation?.label, item.description, item.contextValue],
        [label, description, contextValue],
      );
    });

  const outcomes: readonly (readonly [Partial<Workflow>, Partial<Execution>, string, string])[] = [
    [asDeployed, { status: statusOf('completed'), ...ago(3) }, 'completed 3 min ago', 'rocket'],
    [asDeployed, { status: statusOf('failed'), ...ago(3) }, 'deployed · failed 3 min ago', 'error'],
    [edited, { status: statusOf('failed'), ...ago(3) }, 'edited · failed 3 min ago', 'error'],
    [
      idle,
      { status: statusOf('cancelled'), ...ago(90) },
      'not deployed · cancelled 1 h ago',
      'circle-large-outline',
    ],
    [asDeployed, { status: statusOf('running'), ...ago(0) }, 'running', 'rocket'],
    [
      { ...edited, isDeploying: true },
      { status: statusOf('failed'), ...ago(3) },
      'deploying… · failed 3 min ago',
      'loading~spin',
    ],
    [asDeployed, { status: statusOf('waiting'), ...ago(3) }, 'waiting 3 min', 'rocket'],
    [asDeployed, { status: statusOf('completed'), createdAt: null }, 'completed', 'rocket'],
  ];
  for (const [change, latest, description, icon] of outcomes)
    it(`tells of its latest execution "${description}"`, () => {
      const item = render(change, latest);
      assert.equal(item.description, description);
      assert.ok(item.iconPath instanceof vscode.ThemeIcon);
      assert.equal(item.iconPath.id, icon);
    });

  it('tells in its tooltip what it means that the draft was edited', () => {
    const tooltipOf = ({ tooltip }: vscode.TreeItem) =>
      tooltip instanceof vscode.MarkdownString ? tooltip.value : assert.fail();
    assert.match(
      tooltipOf(render({ isDeployed: true, hasUndeployedChanges: true })),
      /edited since deployed[^]*Executions use the deployed version until/,
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
