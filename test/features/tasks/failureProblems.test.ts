// The failure of a task is listed once, whoever lists it.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { DocumentOpener } from '../../../src/editor/documents/documentOpener.ts';
import { schemes } from '../../../src/editor/ids.ts';
import { LazyFiles } from '../../../src/editor/lazy/lazySurfaces.ts';
import { FailureProblems } from '../../../src/features/tasks/failureProblems.ts';
import { definitionUri } from '../../../src/ui/addresses.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';
import { collections, configuration } from '../../support/vscodeStandIn.ts';
import { openWritten } from '../../support/writtenDocument.ts';

const setting = 'workflowAutomation.definitions.showExecution';

describe('the node that failed a task', () => {
  afterEach(() => configuration.set(setting, undefined));

  for (const isShown of [true, false])
    it(`is listed while its definition is closed: an open one lists it itself, its execution ${isShown ? 'shown' : 'not shown'}`, async () => {
      configuration.set(setting, isShown);
      const world = createWorld();
      const [connectionId] = await connectBoth(world);
      const target = { connectionId, workflowId: 'w1' };
      const uri = definitionUri(target, 'First', 'Orders');
      const written = openWritten(uri, '{"nodes": [{"id": "pay", "type": "fail"}]}');
      const definitionFiles = new LazyFiles(schemes.definition, new DocumentOpener(), () => assert.fail());
      const problems = new FailureProblems({ ...world, definitionFiles, logger: silentLogger });
      const listed = () => collections.get('workflowAutomation.tasks')?.of(uri.toString()).length;
      const said = await problems.show(target, 'e1', { code: null, message: 'No.', nodeId: 'pay' });
      assert.match(said ?? '', /^Orders\.workflow\.json\(1,\d+\): error: pay: No\.$/);
      assert.equal(listed(), 0);
      written.close();
      assert.equal(listed(), 1);
      problems.dispose();
      definitionFiles.dispose();
      world.following.dispose();
    });
});
