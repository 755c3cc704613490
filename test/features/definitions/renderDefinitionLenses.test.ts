// What stands above a definition: how to execute, fill in and deploy it, and whether it's deployed.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DefinitionText } from '../../../src/definition/definitionText.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';
import { FileDifferences } from '../../../src/ui/fileDifference.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import {
  fileCommands,
  renderDefinitionLenses,
  renderFileLenses,
} from '../../../src/features/definitions/workflowLenses.ts';

const now = Date.UTC(2026, 0, 5, 12);
const minutesAgo = (minutes: number): Date => new Date(now - minutes * 60_000);
const target = { connectionId: 'c1', workflowId: 'w1' };

const deployed = makeWorkflow('w1', {
  isDeployed: true,
  deployedAt: minutesAgo(3),
  updatedAt: minutesAgo(2),
  hasDefinition: true,
});

const titles = (change: Partial<Workflow>, isEdited = false, mayDeploy = true): string =>
  renderDefinitionLenses({ target, workflow: { ...deployed, ...change }, isEdited, mayDeploy }, now)
    .map(({ title }) => title)
    .join(' | ');

const always = '$(play) Execute | Input';
const deploy = '$(rocket) Deploy';

describe('the lenses above a definition', () => {
  for (const [what, shown, wanted] of [
    ['deployed', titles({}), `${always} | $(check) Deployed · 3 min ago`],
    ['deployed, the service not saying when', titles({ deployedAt: null }), `${always} | $(check) Deployed`],
    [
      'edited since deployed',
      titles({ hasUndeployedChanges: true }),
      `${always} | ${deploy} | $(diff) Edited since deployed · 2 min ago`,
    ],
    [
      'deployed, the service not saying whether the draft differs',
      titles({ hasUndeployedChanges: null }),
      `${always} | ${deploy} | Deployed · 3 min ago`,
    ],
    ['edited and not saved', titles({}, true), `${always} | ${deploy} | $(diff) Edited since deployed`],
    [
      'not deployed',
      titles({ isDeployed: false, deployedAt: null, hasUndeployedChanges: null }),
      `${always} | ${deploy} | Not deployed`,
    ],
    ['of a service that does not say', titles({ isDeployed: null, hasUndeployedChanges: null }), always],
    [
      'archived, the service refusing to deploy and execute it',
      titles({ isDeployed: false, isArchived: true }, true),
      'Unarchive | $(archive) Archived',
    ],
    [
      'not deployed, on a service that deploys nothing',
      titles({ isDeployed: false, hasUndeployedChanges: null }, false, false),
      `${always} | Not deployed`,
    ],
  ] as const)
    it(`${what}: ${wanted}`, () => assert.equal(shown, wanted));

  it('execute at once, as a person asks for it', () => {
    const [execute] = renderDefinitionLenses(
      { target, workflow: deployed, isEdited: false, mayDeploy: true },
      now,
    );
    assert.deepEqual(execute?.arguments, [{ ...target, isAtOnce: true, invokedBy: 'person' }]);
  });
});

describe('the lenses above a linked file', () => {
  const uri = vscode.Uri.file('/w/totals.workflow.json');
  // What the file leaves out is empty.
  const empty = { description: null, settings: {} };
  const raw = { id: 'w1', name: 'Totals', nodes: [{ id: 'a' }], edges: [], ...empty };
  const workflow = { ...deployed, raw };
  const above = (text: string, change: Partial<Workflow> = {}, mayDeploy = true) => {
    const shown = { ...workflow, ...change };
    const isDifferent = new FileDifferences().find(new DefinitionText(text), shown);
    return renderFileLenses({ target, workflow: shown, isEdited: false, mayDeploy }, uri, isDifferent, now);
  };
  const titlesAbove = (...given: Parameters<typeof above>): string =>
    above(...given)
      .map(({ title }) => title)
      .join(' | ');
  const same = '{ "edges": [], "name": "Totals", "nodes": [{ "id": "a" }] }';
  const other = same.replace('"a"', '"b"');
  const push = '$(rocket) Push and Deploy';

  for (const [what, shown, wanted] of [
    ['says what the service has', titlesAbove(same), `${always} | $(check) Deployed · 3 min ago`],
    ['differs', titlesAbove(other), `${always} | ${push} | $(diff) Not pushed`],
    [
      'leaves out what the service has',
      titlesAbove(same, { raw: { ...raw, description: 'x' } }),
      `${always} | ${push} | $(diff) Not pushed`,
    ],
    ['is no JSON', titlesAbove('{'), `${always} | ${push} | $(diff) Not pushed`],
    ['differs, the service not deploying', titlesAbove(other, {}, false), `${always} | $(diff) Not pushed`],
    ['may differ', titlesAbove(same, { hasDefinition: false }), `${always} | ${push}`],
    [
      'is of an archived workflow',
      titlesAbove(other, { isArchived: true }),
      'Unarchive | $(archive) Archived',
    ],
  ] as const)
    it(`of one that ${what}`, () => assert.equal(shown, wanted));

  it('push and compare that file', () => {
    const [, , pushed, compared] = above(other);
    for (const command of [pushed, compared])
      assert.deepEqual(command?.arguments, [{ linkedFile: uri.toString(), invokedBy: 'person' }]);
  });

  it("are named above the service's own document, each with its path", () => {
    const files = Array.from({ length: 5 }, (_, at) => vscode.Uri.file(`/w/$(x)${at}.workflow.json`));
    const commands = fileCommands(files);
    assert.equal(commands.length, 3);
    assert.deepEqual(
      commands.map(({ command, arguments: given }) => [command, given?.[0] instanceof vscode.Uri]),
      commands.map(() => ['vscode.open', true]),
    );
    assert.equal(commands[0]?.title, '$(go-to-file) /w/\\$(x)0.workflow.json');
  });
});
