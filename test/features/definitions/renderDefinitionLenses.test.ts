// What stands above a definition: how to execute, fill in and deploy it, and whether it's deployed.
import assert from 'node:assert/strict';
import type { Workflow } from '../../../src/domain/workflow.ts';
import { renderDefinitionLenses } from '../../../src/features/definitions/workflowLenses.ts';

const now = Date.UTC(2026, 0, 5, 12);
const minutesAgo = (minutes: number): Date => new Date(now - minutes * 60_000);
const target = { connectionId: 'c1', workflowId: 'w1' };

const deployed: Workflow = {
  id: 'w1',
  name: 'Totals',
  description: null,
  isDeployed: true,
  deployedAt: minutesAgo(3),
  hasUndeployedChanges: false,
  deployedDefinition: null,
  version: null,
  draftVersion: null,
  deployedVersion: null,
  createdAt: null,
  updatedAt: minutesAgo(2),
  hasDefinition: true,
  raw: {},
};

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
