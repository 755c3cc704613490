// What people do with a service, the same for each kind of service. Every call of the port that both kinds offer is made here.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { wait } from '../../src/base/time.ts';
import type { Execution, Triggered } from '../../src/domain/execution.ts';
import type { NodeLog } from '../../src/domain/nodeLog.ts';
import type { Workflow } from '../../src/domain/workflow.ts';
import { resolveExecution } from '../../src/model/executions/executionLookup.ts';
import type { Capability } from '../../src/protocol/operations.ts';
import { kindOf, reasonOf } from '../support/reasons.ts';
import { stepThrough } from './stepThrough.ts';
import type { Behavior, Subject } from './subject.ts';

/** Only what hangs takes this long. */
const longestMs = 60_000;

/** Defines the scenarios for one service. */
export function describeScenarios(title: string, open: () => Promise<Subject>): void {
  describe(`with ${title}, a person`, () => {
    let subject: Subject;
    const made: string[] = [];

    before(async function () {
      this.timeout(longestMs);
      subject = await open();
      await subject.client.learnOffers?.();
    });
    afterEach(async () => {
      for (const id of made.splice(0)) await subject.client.workflows.delete(id);
    });
    after(() => subject.close());

    const create = async (behavior: Behavior, name: string = behavior): Promise<Workflow> => {
      const workflow = await subject.client.workflows.create(subject.definitionOf(behavior, name));
      made.push(workflow.id);
      return workflow;
    };
    const createDeployed = async (behavior: Behavior): Promise<string> => {
      const { id } = await create(behavior);
      await subject.client.workflows.deploy(id);
      return id;
    };
    const find = async (trigger: Triggered): Promise<string> => {
      const { client, clock } = subject;
      const found = await resolveExecution({ client, clock, trigger, known: new Set() });
      assert.ok(found.kind === 'reported' || found.kind === 'matched', found.kind);
      return found.executionId;
    };
    const execute = async (workflowId: string, message: string): Promise<string> => {
      const options = { idempotencyKey: randomUUID() };
      return find(await subject.client.workflows.execute(workflowId, { message }, options));
    };
    const follow = async (executionId: string) => {
      const rows: NodeLog[] = [];
      for await (const item of subject.client.executions.follow(
        executionId,
        {},
        AbortSignal.timeout(longestMs),
      )) {
        if (item.kind === 'logs') rows.push(...item.logs);
        if (item.kind === 'end') return { rows, state: item.status.state };
      }
      return assert.fail('It never ended.');
    };
    const untilState = async (executionId: string, state: string): Promise<Execution> => {
      for (;;) {
        const execution = await subject.client.executions.get(executionId);
        if (execution.status.state === state) return execution;
        assert.ok(!execution.status.isTerminal, execution.status.state);
        await wait(subject.clock, 100);
      }
    };
    /** An older version may lack what its kind of service has. */
    const requireOffered = async (test: Mocha.Context, capability: Capability): Promise<void> => {
      const offered = await subject.client.learnOffers?.();
      if (offered?.has(capability) === false) test.skip();
    };
    const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

    it('is told that a key is wrong', async () => {
      const client = subject.connectWithout();
      assert.equal(await kindOf(client.workflows.list({ limit: 1 })), 'keyRejected');
      client.dispose();
    });

    it('finds each workflow in the list, page by page', async () => {
      const ids: string[] = [];
      for (const name of ['one', 'two', 'three', 'four', 'five'])
        ids.push((await create('answers', name)).id);
      const found: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await subject.client.workflows.list({ limit: 2, ...(cursor && { cursor }) });
        assert.ok(page.items.length <= 2);
        found.push(...idsOf(page.items));
        cursor = page.nextCursor;
      } while (cursor !== null);
      assert.deepEqual(found.filter((id) => ids.includes(id)).toSorted(), ids.toSorted());
      const { items } = await subject.client.workflows.list({ search: 'thre' });
      assert.deepEqual(idsOf(items), [ids[2]]);
    });

    it('renames a workflow, and meets the change of somebody else', async () => {
      const { workflows } = subject.client;
      const { id } = await create('answers', 'Before');
      const { version } = await workflows.get(id);
      assert.equal((await workflows.update(id, { name: 'After' })).name, 'After');
      assert.equal((await workflows.get(id)).name, 'After');
      assert.ok(version !== null);
      assert.equal(await kindOf(workflows.update(id, { name: 'Late', version })), 'conflict');
      assert.equal((await workflows.get(id)).name, 'After');
    });

    it('duplicates and imports a workflow, and deploys all of them', async () => {
      const { workflows } = subject.client;
      const { id } = await create('answers', 'Original');
      const copy = await workflows.duplicate(id, undefined);
      made.push(copy.id);
      assert.equal(copy.name, 'Original (copy)');
      const imported = await workflows.import(subject.definitionOf('answers', 'Imported'));
      made.push(imported.id);
      for (const each of [id, copy.id, imported.id]) await workflows.deploy(each);
      for (const each of [id, copy.id, imported.id])
        assert.equal((await follow(await execute(each, 'hi'))).state, 'completed');
    });

    it('executes right after the deployment, and reads what came of it', async () => {
      const { executions } = subject.client;
      const id = await createDeployed('answers');
      const executionId = await execute(id, 'hi');
      const { rows, state } = await follow(executionId);
      assert.equal(state, 'completed');
      const output = await executions.output(executionId);
      assert.ok(output.kind === 'ready' && JSON.stringify(output.output).includes('"hi"'), output.kind);
      const whole = await executions.getWithInput(executionId);
      assert.deepEqual([whole.workflowId, whole.input], [id, { message: 'hi' }]);
      const read = await executions.logs(executionId, {});
      assert.ok(read.isWhole);
      const nodes = [...new Set(read.rows.map(({ nodeName }) => nodeName))];
      assert.deepEqual(
        nodes.filter((name) => name !== ''),
        ['Input', 'Answer'],
      );
      const keys = new Set(rows.map(({ key }) => key));
      assert.ok(
        read.rows.every(({ key }) => keys.has(key)),
        'What was followed is what is read.',
      );
      assert.equal((await executions.list({ workflowId: id })).items[0]?.id, executionId);
    });

    it('tells two executions apart that start at once', async () => {
      const id = await createDeployed('answers');
      const messages = ['one', 'other'];
      const started = await Promise.all(messages.map((message) => execute(id, message)));
      for (const [at, executionId] of started.entries()) {
        await follow(executionId);
        assert.deepEqual((await subject.client.executions.getWithInput(executionId)).input, {
          message: messages[at],
        });
      }
    });

    it('is refused what is not deployed, before anything runs', async () => {
      const { workflows, executions } = subject.client;
      const { id } = await create('answers');
      assert.equal(await kindOf(workflows.execute(id, { message: 'hi' })), 'notDeployed');
      await workflows.deploy(id);
      assert.equal((await workflows.get(id)).isDeployed, true);
      assert.equal((await workflows.undeploy(id)).isDeployed, false);
      assert.equal(await kindOf(workflows.execute(id, { message: 'hi' })), 'notDeployed');
      assert.deepEqual((await executions.list({ workflowId: id })).items, []);
    });

    it('sees which node failed and why, and retries from there', async () => {
      const { executions } = subject.client;
      const id = await createDeployed('fails');
      const executionId = await execute(id, 'hi');
      assert.equal((await follow(executionId)).state, 'failed');
      const { error } = await executions.getWithInput(executionId);
      assert.match(error?.message ?? '', /No stock\./);
      const { rows } = await executions.logs(executionId, {});
      const failed = rows.filter(({ status }) => status?.state === 'failed');
      assert.deepEqual([...new Set(failed.map(({ nodeName }) => nodeName))], ['Stop']);
      const retried = await find(await executions.retry(executionId, { definition: 'deployed' }));
      assert.equal((await follow(retried)).state, 'failed');
      assert.equal((await executions.get(retried)).retryOf, executionId);
    });

    it('steps through an execution from its failure back, and evaluates there', async () => {
      const executionId = await execute(await createDeployed('fails'), 'hi');
      await follow(executionId);
      const execution = await subject.client.executions.get(executionId);
      const { stops, lines, value } = await stepThrough(subject.client, execution, 'input.message');
      assert.deepEqual(stops, ['Stop', 'Input']);
      // Nothing above them says that another definition may have run, where it's told which one did.
      const isTold = subject.client.capabilities.current.has('definition');
      assert.deepEqual(
        lines.map(([name]) => name),
        [...(isTold ? [] : ['This may not be the definition that ran']), 'Input', 'fails'],
      );
      assert.match(lines.at(-2)?.[1] ?? '', /"Input"/);
      assert.equal(value, '"hi"');
    });

    it('finds a running execution in the list, and cancels it', async function () {
      await requireOffered(this, 'cancel');
      const { executions } = subject.client;
      const id = await createDeployed('waits');
      const executionId = await execute(id, 'hi');
      const { items } = await executions.list({ workflowId: id });
      assert.deepEqual(idsOf(items), [executionId]);
      assert.equal(items[0]?.status.isTerminal, false);
      await executions.cancel(executionId);
      await untilState(executionId, 'cancelled');
      assert.deepEqual(await reasonOf(executions.cancel(executionId)), {
        kind: 'notPossible',
        because: 'ended',
      });
    });

    it('retries what was cancelled, and knows of the retry while it runs', async function () {
      await requireOffered(this, 'cancel');
      const { executions } = subject.client;
      const executionId = await execute(await createDeployed('waits'), 'hi');
      await executions.cancel(executionId);
      await untilState(executionId, 'cancelled');
      const retried = await find(await executions.retry(executionId, { definition: 'deployed' }));
      const { retryOf, status } = await executions.get(retried);
      assert.deepEqual([retryOf, status.isTerminal], [executionId, false]);
      await executions.cancel(retried);
      await untilState(retried, 'cancelled');
    });

    it('deletes a deployed workflow', async () => {
      const { workflows, executions } = subject.client;
      const { id } = await workflows.create(subject.definitionOf('answers', 'Short'));
      await workflows.deploy(id);
      await workflows.delete(id);
      assert.equal(await kindOf(workflows.get(id)), 'notFound');
      assert.equal(await kindOf(executions.get('999999')), 'notFound');
    });
  });
}
