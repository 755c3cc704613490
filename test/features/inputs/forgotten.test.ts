// What was typed and executed goes with its connection.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { forgetWithConnections } from '../../../src/features/inputs/register.ts';
import { InputDrafts } from '../../../src/model/inputs/inputDrafts.ts';
import { InputHistory } from '../../../src/model/inputs/inputHistory.ts';
import { settle } from '../../support/memory/ports.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

describe('the inputs of a connection', () => {
  it('are gone once it is removed, and those of others stay', async () => {
    const world = createWorld();
    const { clock, connections, globalState } = world;
    const [connectionId, otherId] = await connectBoth(world);
    const drafts = new InputDrafts(globalState, () => 'svc_sk_');
    const history = new InputHistory(globalState, clock, () => 'svc_sk_');
    const forgetting = forgetWithConnections({ connections, drafts, history, logger: silentLogger });
    const [target, other] = [connectionId, otherId].map((id) => ({ connectionId: id, workflowId: 'w1' }));
    assert.ok(target && other);
    for (const each of [target, other]) {
      await drafts.save(each, `text of ${each.connectionId}`);
      await history.record(each, { of: each.connectionId });
    }
    await connections.remove(connectionId);
    await settle();
    assert.ok(!globalState.text.includes(connectionId));
    assert.equal(drafts.read(other), `text of ${otherId}`);
    assert.equal(history.read(other).length, 1);
    forgetting.dispose();
  });
});
