import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import {
  emptyDefinition,
  emptyN8nDocument,
} from '../../../../src/features/workflows/importExport/creating.ts';
import { describeExported, findExisting } from '../../../../src/features/workflows/importExport/exporting.ts';
import { describeImported } from '../../../../src/features/workflows/importExport/importing.ts';
import {
  fileSource,
  readDefinitionBytes,
  readNamed,
} from '../../../../src/features/workflows/importExport/importSources.ts';
import { eachInTurn, summarizeTransfer } from '../../../../src/ui/transfer.ts';
import { makeWorkflow } from '../../../support/memory/records.ts';
import { abortReason } from '../../../../src/base/async.ts';
import { checkText } from '../../../../src/definition/checkText.ts';
import { formatOf } from '../../../../src/domain/definitionFormat.ts';
import { type JsonObject, parseJson } from '../../../../src/base/json.ts';
import { readText } from '../../../support/manifest.ts';
import { ServiceError } from '../../../../src/domain/errors.ts';

const Ordered = v.looseObject({ nodes: v.array(v.looseObject({})) });
const definition = { name: 'One', nodes: [], edges: [], 'x-own': { kept: [1, null] } };

describe('the text of a definition', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  for (const [what, content, words] of [
    ['nothing', bytes(' \n'), "It's empty."],
    ['no JSON', bytes('{"name": '), "It isn't valid JSON."],
    ['a list', bytes('[]'), 'a definition is a JSON object'],
    ['bytes that are no text', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), "It isn't UTF-8 text"],
    ['more than 5 MiB', new Uint8Array(5 * 1024 * 1024 + 1), "It's too large"],
  ] as const) {
    it(`is refused when it is ${what}`, () =>
      assert.throws(
        () => readDefinitionBytes(content),
        (error: Error) => error.message.includes(words),
      ));
  }

  it('is read whole, with or without a byte order mark', () => {
    const text = JSON.stringify(definition);
    assert.deepEqual(readDefinitionBytes(bytes(text)), definition);
    assert.deepEqual(readDefinitionBytes(bytes(`\ufeff${text}`)), definition);
  });
});

describe('an exported file', () => {
  it('replaces one whose name is the same on some file system, however it is written', () => {
    const composed = 'B\u00fcro.workflow.json';
    assert.deepEqual(findExisting([composed, 'b'], [composed.normalize('NFD')]), [composed]);
    assert.deepEqual(findExisting([composed, 'b'], ['B', 'c']), ['b']);
  });
});

describe('a definition without a name', () => {
  for (const [file, title] of [
    ['Orders.json', 'Orders'],
    ['Orders.workflow.json', 'Orders'],
    ['Orders.n8n.workflow.json', 'Orders'],
    ['Orders', 'Orders'],
  ] as const)
    it(`is called ${title} after ${file}`, async () => {
      const source = fileSource(vscode.Uri.file(`/team/${file}`));
      const nameOf = async (given: JsonObject) =>
        (await readNamed({ ...source, read: () => Promise.resolve(given) }))['name'];
      const { name: _, ...nameless } = definition;
      for (const given of [nameless, { ...nameless, name: '' }, { ...nameless, name: null }])
        assert.equal(await nameOf(given), title);
      assert.equal(await nameOf(definition), 'One');
    });
});

describe('what was exported', () => {
  for (const [count, words] of [
    [0, 'Nothing was exported.'],
    [1, '1 workflow was exported to "/team".'],
    [2, '2 workflows were exported to "/team".'],
  ] as const) {
    it(`is said of ${count}`, () =>
      assert.equal(describeExported(count, vscode.Uri.parse('file:///team')), words));
  }
});

describe('a blank workflow', () => {
  it('has nothing that is null, and its members in the order of the samples', () => {
    const text = JSON.stringify(emptyDefinition());
    assert.ok(!text.includes('null'), text);
    const sample = v.parse(Ordered, parseJson(readText('media/samples/order-totals.json')));
    const blank = v.parse(Ordered, parseJson(text));
    const ownMembers = Object.keys(sample).filter((name) => name !== '$schema');
    assert.deepEqual(Object.keys(blank), ownMembers);
    for (const node of blank.nodes) assert.deepEqual(Object.keys(node), Object.keys(sample.nodes[0] ?? {}));
  });
});

describe('a blank workflow of n8n', () => {
  it('is one of its documents, with nothing wrong, and listens at a place of its own', () => {
    const [one, other] = [emptyN8nDocument(), emptyN8nDocument()];
    assert.equal(formatOf(one), 'n8n');
    assert.deepEqual(checkText(JSON.stringify(one), 'n8n')?.faults, []);
    assert.notDeepEqual(one['nodes'], other['nodes']);
  });
});

describe('several in turn', () => {
  const onBegin = () => undefined;
  const items = ['a', 'b', 'c'].map((name) => ({ name }));
  const failsAtB =
    (error: Error) =>
    ({ name }: { name: string }) =>
      name === 'b' ? Promise.reject(error) : Promise.resolve(name);

  it('go on after one that failed', async () => {
    const { signal } = new AbortController();
    const outcome = await eachInTurn(items, failsAtB(new Error('bad')), { onBegin, signal });
    assert.deepEqual(outcome.done, ['a', 'c']);
    assert.deepEqual(
      outcome.failed.map(({ name }) => name),
      ['b'],
    );
    assert.equal(outcome.untried, 0);
  });

  it('end with a failure that all would meet, and count the rest', async () => {
    const { signal } = new AbortController();
    const unavailable = new ServiceError({ kind: 'unavailable' }, 'down');
    const outcome = await eachInTurn(items, failsAtB(unavailable), { onBegin, signal });
    assert.deepEqual([outcome.done, outcome.failed.length, outcome.untried], [['a'], 1, 1]);
  });

  it('end when they are cancelled; what was done stays told', async () => {
    const controller = new AbortController();
    const outcome = await eachInTurn(
      items,
      ({ name }) => {
        if (name === 'b') controller.abort();
        return controller.signal.aborted
          ? Promise.reject(abortReason(controller.signal))
          : Promise.resolve(name);
      },
      { onBegin, signal: controller.signal },
    );
    assert.deepEqual([outcome.done, outcome.failed.length, outcome.untried], [['a'], 0, 2]);
  });

  it('are summed up in one message that names each bad one', () => {
    const failed = ['x.json', 'y.json'].map((name) => ({ name, error: new Error('no') }));
    const done = ['w1', 'w2'].map((id) => ({ workflow: makeWorkflow(id), leftOut: [] }));
    const words = summarizeTransfer(describeImported(done), { done, failed, untried: 3 }, 0);
    assert.match(words, /^2 workflows were imported\. .*"x\.json".*"y\.json".* 3 not tried\.$/);
  });

  const lacking = (name: string, leftOut: readonly string[]) => ({
    workflow: makeWorkflow(name, { name }),
    leftOut,
  });
  for (const [done, words] of [
    [[lacking('A', ['tags', 'meta'])], '"A" was imported. The service didn\'t keep: tags, meta.'],
    [
      [lacking('A', ['a', 'b', 'c', 'd', 'e', 'f', 'g'])],
      '"A" was imported. The service didn\'t keep: a, b, c, d, e, 2 more.',
    ],
    [
      [lacking('A', []), lacking('B', ['nodes.color'])],
      '2 workflows were imported. Of "B", the service didn\'t keep: nodes.color.',
    ],
    [
      ['1', '2', '3', '4', '5', '6', '7'].map((name) => lacking(name, ['x'])),
      `7 workflows were imported. ${['1', '2', '3', '4', '5']
        .map((name) => `Of "${name}", the service didn't keep: x.`)
        .join(' ')} 2 more lack something; the log says what.`,
    ],
  ] as const)
    it(`say what was left out: ${words.slice(0, 60)}`, () => assert.equal(describeImported(done), words));
});
