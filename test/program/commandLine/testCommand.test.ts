// A run of tests that is cut short says what it has found out until then.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonArray, parseJson } from '../../../src/base/json.ts';
import { textAt } from '../../service/calls.ts';
import { createAppPort } from '../../support/appPort.ts';
import { runHere } from '../../support/runHere.ts';
import { createServiceModel } from '../../support/serviceModel.ts';
import { createTestService, type TestService } from '../../support/service.ts';

const resting = {
  name: 'Resting',
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'rest', type: 'delay', config: { milliseconds: 3_600_000 } },
  ],
  edges: [{ source: 'start', target: 'rest' }],
};
const expected = { status: 'completed' };
const tests = [
  { name: 'stale', pinned: { gone: 1 }, expected },
  { name: 'endless', expected },
];

describe('a run of tests whose time is up', () => {
  let folder = '';
  let file = '';
  let service: TestService;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tests-'));
    file = join(folder, 'resting.workflow-test.json');
    await writeFile(file, JSON.stringify({ workflow: 'Resting', tests }));
    service = await createTestService({ requestsPerMinute: 1000 });
    const model = await createServiceModel(service);
    await model.actions.import(model.connectionId, resting);
    model.dispose();
  });
  afterEach(async () => {
    await service.dispose();
    await rm(folder, { recursive: true });
  });

  /** Its time is up with the first execution. */
  function run(...words: readonly string[]) {
    const controller = new AbortController();
    const port = createAppPort(service.app);
    const http: typeof port = (url, request) => {
      if (request.method === 'POST') controller.abort(new DOMException('Timed out', 'TimeoutError'));
      return port(url, request);
    };
    return runHere(['test', file, ...words], {
      environment: { WORKFLOW_BASE_URL: 'http://127.0.0.1:4100/v1', WORKFLOW_API_KEY: service.key },
      serviceOptions: { ledgerPath: join(folder, 'budget.db'), http: () => Promise.resolve(http) },
      interrupts: { signal: controller.signal, exitCode: () => undefined },
    });
  }

  it('reports what has ended, and of the rest that it has not', async () => {
    const { code, stdout, stderr } = await run();
    assert.equal(code, 3);
    assert.match(stderr, /^It took longer than --timeout allows\.$/m);
    assert.match(stdout, /✗ stale\n +The workflow has no node "gone"\.\n/);
    assert.match(stdout, /✗ endless\n +The run was ended before this test was\.\n2 errored\n$/);
  });

  it('reports it as JSON too', async () => {
    const results = parseJson((await run('--json')).stdout);
    assert.ok(isJsonArray(results));
    assert.deepEqual(
      results.map((each) => [textAt(each, 'name'), textAt(each, 'outcome')]),
      [
        ['stale', 'errored'],
        ['endless', 'errored'],
      ],
    );
  });
});
