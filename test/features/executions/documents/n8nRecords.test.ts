// What a person reads of records of a real n8n: how it went, what each kind of node did, and what came out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, parseJson } from '../../../../src/base/json.ts';
import type { NodeRun } from '../../../../src/domain/nodeRun.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { DocumentOpener } from '../../../../src/editor/documents/documentOpener.ts';
import { schemes } from '../../../../src/editor/ids.ts';
import { LazyDocuments } from '../../../../src/editor/lazy/lazySurfaces.ts';
import {
  createDocuments,
  createTimelineSource,
} from '../../../../src/features/executions/documents/register.ts';
import { Outputs } from '../../../../src/features/executions/documents/outputs.ts';
import { type ExecutionPart, executionUri } from '../../../../src/ui/addresses.ts';
import { renderNodeName } from '../../../../src/words/renderLogLine.ts';
import { renderTime } from '../../../../src/words/time.ts';
import { root } from '../../../rig/paths.ts';
import { assertGolden } from '../../../support/golden.ts';
import { createModelWorld, type ModelWorld } from '../../../support/n8n/modelWorld.ts';

/** The node runs whose documents are read: "Node" or "Node [2]". */
const records: Readonly<Record<string, readonly string[]>> = {
  'ai-sub-nodes': ['Default Data Loader [2]', 'Fake Embeddings 3', 'Populate VS'],
  'binary-file': ['Get chart', 'After'],
  'calls-a-child-per-item': ['Call child', 'After child'],
  crashed: ['S2'],
  'error-workflow': ['Tell'],
  'http-422-failed': ['Check address'],
  'http-error-output': ['Ask', 'Bad'],
  'if-and-merge': ['Is a', 'Merge'],
  'nested-loops': ['Outer [4]', 'Inner [3]', 'Work [6]'],
};

function readRecord(name: string): JsonObject {
  const record = parseJson(readFileSync(join(root, 'test', 'n8n', 'executions', `${name}.json`), 'utf8'));
  return isJsonObject(record) ? record : assert.fail();
}

describe('a record of a real n8n, as it is read', () => {
  const { signal } = new AbortController();
  let world: ModelWorld;
  beforeEach(async () => {
    world = await createModelWorld();
  });
  afterEach(() => world.dispose());

  async function readAll(record: JsonObject, nodeRuns: readonly string[]): Promise<string> {
    const { n8n, model, n8nId } = world;
    const { id, startedAt } = record;
    assert.ok(typeof id === 'string' && typeof startedAt === 'string');
    n8n.instead = (call) => (call === `GET /executions/${id}` ? { status: 200, body: record } : undefined);
    const executionDocuments = new LazyDocuments(schemes.execution, new DocumentOpener(), () =>
      Promise.resolve(),
    );
    const timeline = createTimelineSource(model);
    const unused = { read: () => assert.fail(), isTouched: () => false };
    const documents = createDocuments({ ...model, executionDocuments, logger: silentLogger }, new Outputs(), {
      timeline,
      log: unused,
      comparison: unused,
      differences: unused,
    });
    const target = { connectionId: n8nId, executionId: id };
    const read = async (part: ExecutionPart, run?: NodeRun) => {
      const address = { target, part, nodeRunKey: run?.key ?? '', isCompact: false };
      const uri = executionUri(address, { connectionName: 'n8n', title: 'Record' });
      return `── ${run === undefined ? part : renderNodeName(run)}\n${await documents.read(uri, signal)}`;
    };
    const texts = [await read('timeline'), await read('input'), await read('output'), await read('details')];
    const { nodeRuns: ran } = await model.executions.readLogs(target, signal);
    for (const name of nodeRuns)
      texts.push(await read('node', ran.find((run) => renderNodeName(run) === name) ?? assert.fail(name)));
    for (const each of [documents, timeline, executionDocuments]) each.dispose();
    // Which depends on where the machine is.
    return texts.join('\n').replace(renderTime(new Date(startedAt)), '…');
  }

  for (const [name, nodeRuns] of Object.entries(records))
    it(`is right for ${name}`, async () =>
      assertGolden(`n8n/${name}`, await readAll(readRecord(name), nodeRuns)));
});
