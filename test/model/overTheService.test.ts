// The model over the real client and the real service, with no socket between them: what is shown is what happened.
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, parseJson } from '../../src/base/json.ts';
import { keyFaultOf } from '../../src/domain/errors.ts';
import { defaultInputText, parseInput } from '../../src/model/inputs/inputText.ts';
import orderTotals from '../../media/samples/order-totals.json' with { type: 'json' };
import { createTestService, type TestService } from '../support/service.ts';
import { createServiceModel, type ServiceModel } from '../support/serviceModel.ts';
import { chain } from '../service/calls.ts';

describe('the model over the service', () => {
  let service: TestService;
  let connections: ServiceModel['connections'];
  let workflows: ServiceModel['workflows'];
  let executions: ServiceModel['executions'];
  let following: ServiceModel['following'];
  let actions: ServiceModel['actions'];
  let connectionId: string;
  let disposeAll: () => void;

  beforeEach(async () => {
    service = await createTestService();
    ({
      connections,
      workflows,
      executions,
      following,
      actions,
      connectionId,
      dispose: disposeAll,
    } = await createServiceModel(service));
  });
  afterEach(async () => {
    disposeAll();
    await service.dispose();
  });

  /** The sample that loops, with its pauses taken out. */
  const sample = (): JsonObject => {
    const nodes = orderTotals.nodes.map((node) =>
      node.type === 'delay' ? { ...node, config: { milliseconds: 0 } } : node,
    );
    const definition = parseJson(JSON.stringify({ ...orderTotals, nodes }));
    return isJsonObject(definition) ? definition : assert.fail('The sample is no object.');
  };

  it('imports, deploys, executes with the suggested input, follows every turn of the loop to the end', async () => {
    await workflows.refresh();
    const { id: workflowId } = await actions.import(connectionId, sample());
    const target = { connectionId, workflowId };
    assert.deepEqual(
      workflows.state.current.items.map(({ name }) => name),
      ['Order totals'],
    );
    assert.equal((await actions.deploy(target)).isDeployed, true);
    const input =
      parseInput(defaultInputText(await workflows.read(target))) ?? assert.fail('It is no input.');
    const scope = { connectionId, workflowId };
    await executions.refresh(scope);
    const trigger = await actions.execute(target, input);
    const [executionId = assert.fail('No execution was named.')] = trigger.executionIds;
    assert.deepEqual(
      executions.list(scope).items.map(({ id }) => id),
      [executionId],
    );
    const execution = { connectionId, executionId };
    const end = await following.follow(execution).done;
    assert.equal(end.kind === 'ended' && end.status.state, 'completed');
    const record = executions.find(execution);
    assert.equal(record?.status.state, 'completed');
    assert.notEqual(record.completedAt, null);
    const { rows, nodeRuns } = executions.logs(execution);
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      rows.map((_, at) => at + 1),
    );
    const turns = nodeRuns.map(({ iteration }) => iteration[0]).filter((turn) => turn !== undefined);
    assert.equal(new Set(turns).size, 3);
    assert.ok(nodeRuns.every(({ status }) => status?.isTerminal === true));
    const followedAgain = await following.follow(execution).done;
    assert.equal(followedAgain.kind, 'ended');
    assert.equal(executions.logs(execution).rows.length, rows.length);
  });

  it('shows a followed execution as waiting while its delay lasts, whenever its record was read', async () => {
    const definition = chain(['start', 'trigger'], ['rest', 'delay', { milliseconds: 3_600_000 }]);
    const { id: workflowId } = await actions.import(connectionId, definition);
    await actions.deploy({ connectionId, workflowId });
    const { executionIds } = await actions.execute({ connectionId, workflowId }, {});
    const [executionId = assert.fail('No execution was named.')] = executionIds;
    const target = { connectionId, executionId };
    const waits = new Promise<void>((resolve) =>
      executions.onDidChange(() => {
        if (executions.find(target)?.status.state === 'waiting') resolve();
      }),
    );
    following.follow(target);
    await waits;
    const { nodeRuns } = executions.logs(target);
    assert.equal(nodeRuns.find(({ nodeId }) => nodeId === 'rest')?.status?.state, 'waiting');
  });

  it('refuses a wrong key before storing it, and shows a revoked one after one request', async () => {
    const wrong = { name: 'Wrong', baseUrl: 'http://127.0.0.1:4100/v1', apiKey: 'svc_sk_wrong' };
    await assert.rejects(connections.add(wrong), { reason: { kind: 'keyRejected' } });
    await workflows.refresh();
    await service.store.keys.revoke(service.apiKey.id);
    await executions.refresh({ connectionId, workflowId: null });
    const { error } = workflows.state.current;
    assert.equal(error && keyFaultOf(error), 'revoked');
  });
});
