// A save over the real client and service: what is written, what is refused, and that two windows never lose a byte.
import assert from 'node:assert/strict';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { createClient } from '../../../src/api/client.ts';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import { isServiceError } from '../../../src/domain/errors.ts';
import { DefinitionStore } from '../../../src/model/workflows/definitionStore.ts';
import type { WorkflowTarget } from '../../../src/domain/targets.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';
import { createAppPort } from '../../support/appPort.ts';
import { createRandom } from '../../support/randomNumbers.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { EditingWindow, Ledger } from '../../features/definitions/files/twoWindows.ts';

const requestsPerMinute = 1_000_000;
const definition: JsonObject = {
  name: 'Shared',
  description: 'start',
  nodes: [{ id: 'start', type: 'trigger' }],
  edges: [],
  settings: {},
};

describe('saving a definition', () => {
  let service: TestService;
  let calls: ServicePort['workflows'];
  let store: DefinitionStore;
  let endClient: () => void;
  /** Runs once, between the re-read of a save and its write. */
  let beforeWrite: (() => Promise<unknown>) | undefined;

  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute });
    const client = createClient({
      http: () => Promise.resolve(createAppPort(service.app)),
      baseUrl: 'http://127.0.0.1:4100/v1',
      key: () => Promise.resolve(service.key),
      keyPrefix: () => 'svc_sk_',
      budgets: new Budgets({ clock: systemClock, requestsPerMinute }),
      logger: silentLogger,
    });
    calls = client.workflows;
    endClient = () => client.dispose();
    beforeWrite = undefined;
    store = storeWith(async (workflowId, changes) => {
      const between = beforeWrite;
      beforeWrite = undefined;
      await between?.();
      return calls.update(workflowId, changes);
    });
  });
  afterEach(async () => {
    endClient();
    await service.dispose();
  });

  function storeWith(
    update: (workflowId: string, changes: JsonObject) => Promise<Workflow>,
  ): DefinitionStore {
    return new DefinitionStore({
      workflows: { read: ({ workflowId }) => calls.get(workflowId) },
      actions: { update: ({ workflowId }, changes) => update(workflowId, changes) },
    });
  }

  async function open() {
    const { id: workflowId } = await calls.create(definition);
    const target = { connectionId: 'c', workflowId };
    const { definition: base } = await store.read(target);
    return { target, base };
  }

  function newWindow(target: WorkflowTarget, ledger: Ledger, base: JsonObject): EditingWindow {
    const own = storeWith((workflowId, changes) => calls.update(workflowId, changes));
    return new EditingWindow(own, target, ledger, base);
  }

  /** Somebody with another program, who writes only over what they have read. */
  async function changeRemotely(target: WorkflowTarget, ledger: Ledger): Promise<string> {
    for (;;) {
      const { workflow, definition: theirs } = await store.read(target);
      const changed = ledger.edit(theirs);
      const version = workflow.updatedAt?.toISOString() ?? '';
      try {
        await calls.update(target.workflowId, { ...changed, version });
        return 'remote';
      } catch (error) {
        if (!isServiceError(error, 'conflict')) throw error;
        ledger.takeBack(changed, theirs);
      }
    }
  }

  async function refreshBoth(first: EditingWindow, second: EditingWindow): Promise<string> {
    await Promise.all([first.refresh(), second.refresh()]);
    return 'refreshed';
  }

  it('writes over what the writer has seen', async () => {
    const { target, base } = await open();
    const mine = { ...base, description: 'mine' };
    const result = await store.save(target, mine, [base]);
    assert.equal(result.kind, 'saved');
    assert.deepEqual((await store.read(target)).definition, mine);
  });

  it('writes nothing over what the writer has not seen, and tells what is there', async () => {
    const { target, base } = await open();
    await calls.update(target.workflowId, { name: 'Theirs' });
    const result = await store.save(target, { ...base, name: 'Mine' }, [base]);
    if (result.kind !== 'conflict') assert.fail(result.kind);
    assert.equal(result.theirs.definition['name'], 'Theirs');
    assert.equal((await calls.get(target.workflowId)).name, 'Theirs');
    const seen = [base, result.theirs.definition];
    assert.equal((await store.save(target, { ...base, name: 'Mine' }, seen)).kind, 'saved');
    assert.equal((await calls.get(target.workflowId)).name, 'Mine');
  });

  it('is refused by the service when the change comes between re-reading and writing', async () => {
    const { target, base } = await open();
    beforeWrite = () => calls.update(target.workflowId, { name: 'Theirs' });
    const result = await store.save(target, { ...base, name: 'Mine' }, [base]);
    assert.equal(result.kind, 'conflict');
    assert.equal((await calls.get(target.workflowId)).name, 'Theirs');
  });

  it('goes on where only the time of change moved, not the content', async () => {
    const { target, base } = await open();
    beforeWrite = () => calls.update(target.workflowId, { name: 'Shared' });
    assert.equal((await store.save(target, { ...base, name: 'Mine' }, [base])).kind, 'saved');
  });

  it('takes no deployment for an edit, whoever deploys, before the save or in its middle', async () => {
    const { target, base } = await open();
    await calls.deploy(target.workflowId);
    beforeWrite = () => calls.undeploy(target.workflowId);
    const first = { ...base, name: 'First' };
    assert.equal((await store.save(target, first, [base])).kind, 'saved');
    beforeWrite = () => calls.deploy(target.workflowId);
    const second = await store.save(target, { ...first, settings: { a: 1 } }, [first]);
    if (second.kind !== 'saved') assert.fail(second.kind);
    assert.deepEqual([second.notKept, second.now.workflow.hasUndeployedChanges], [[], true]);
  });

  it('sends nothing when the service holds it already, as after a lost answer', async () => {
    const { target, base } = await open();
    const mine = { ...base, name: 'Mine' };
    await calls.update(target.workflowId, mine);
    const { updatedAt } = await calls.get(target.workflowId);
    assert.equal((await store.save(target, mine, [base])).kind, 'saved');
    assert.deepEqual((await calls.get(target.workflowId)).updatedAt, updatedAt);
  });

  it('names what the service did not keep', async () => {
    const { target, base } = await open();
    const result = await store.save(target, { ...base, name: ' Mine ', unheard: 1, id: 'other' }, [base]);
    assert.deepEqual(result.kind === 'saved' && result.notKept, ['name', 'unheard', 'id']);
    assert.equal((await calls.get(target.workflowId)).name, 'Mine');
  });

  it('rejects with what the service finds wrong, and nothing is written', async () => {
    const { target, base } = await open();
    await assert.rejects(store.save(target, { ...base, nodes: 5 }, [base]), {
      reason: { kind: 'invalid', details: [{ path: 'nodes', message: 'must be a list of objects' }] },
    });
    assert.deepEqual((await store.read(target)).definition, base);
  });

  it('accounts for every byte in random runs of two windows and a third party', async () => {
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= 20; seed += 1) {
      const { target, base } = await open();
      const ledger = new Ledger(createRandom(seed));
      const [first, second] = [newWindow(target, ledger, base), newWindow(target, ledger, base)];
      const actions: readonly (() => Promise<readonly string[]>)[] = [
        async () => [await first.save()],
        async () => [await second.save()],
        () => Promise.all([first.save(), second.save(), changeRemotely(target, ledger)]),
        async () => [await changeRemotely(target, ledger)],
        async () => [await refreshBoth(first, second)],
      ];
      for (let step = 0; step < 20; step += 1) {
        if (ledger.below(2) === 0) first.edit();
        if (ledger.below(2) === 0) second.edit();
        const kinds = (await actions[ledger.below(actions.length)]?.()) ?? [];
        for (const kind of kinds) seen.set(kind, (seen.get(kind) ?? 0) + 1);
        const { definition: theirs } = await store.read(target);
        ledger.check([first.mine, second.mine, theirs], `seed ${seed}, step ${step}`);
      }
    }
    for (const kind of ['saved', 'conflict', 'remote', 'refreshed'])
      assert.ok((seen.get(kind) ?? 0) > 20, `${kind}: ${seen.get(kind) ?? 0}`);
  });
});
