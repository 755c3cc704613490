// What the editor is told of node IDs, also when it asks before the app is loaded.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LazySymbols } from '../../../../src/editor/lazy/lazySurfaces.ts';
import { registerNodeIds } from '../../../../src/features/definitions/nodeIds/register.ts';
import { definitionUri } from '../../../../src/ui/addresses.ts';
import { connectBoth, createWorld, type World } from '../../../support/memory/world.ts';
import { providers, type SymbolProvider } from '../../../support/providers.ts';
import { openWritten } from '../../../support/writtenDocument.ts';

const noTests = { catchUp: () => undefined, list: () => Promise.resolve([]) };

const text = `{
  "nodes": [
    { "id": "start", "type": "trigger" },
    { "id": "fetch", "type": "log", "config": { "message": "\\"{{ nodes.start }}\\"" } },
    { "id": "say", "type": "log", "config": { "message": "{{ nodes.\`fetch\` }}" } }
  ],
  "edges": [
    { "source": "start", "target": "fetch" },
    { "source": "fetch", "target": "say" }
  ]
}`;
const token: vscode.CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => new vscode.Disposable(() => undefined),
};

describe('node IDs in the editor', () => {
  let world: World;
  let symbols: SymbolProvider;
  let loaded = 0;
  let written: ReturnType<typeof openWritten>;

  beforeEach(async () => {
    world = createWorld();
    const [connectionId] = await connectBoth(world);
    written = openWritten(definitionUri({ connectionId, workflowId: 'w' }, 'First', 'Workflow'), text);
    loaded = 0;
    const definitionSymbols = new LazySymbols('json', () => {
      loaded += 1;
      registerNodeIds({ ...world, definitionSymbols, testFiles: noTests });
      return Promise.resolve();
    });
    symbols = providers.symbols ?? assert.fail();
  });
  afterEach(() => {
    written.close();
    world.following.dispose();
  });

  /** The position behind a text. */
  const behind = (found: string): vscode.Position => {
    const all = written.document.getText();
    assert.ok(all.includes(found), found);
    return written.document.positionAt(all.indexOf(found) + found.length);
  };
  const at = ({ start, end }: vscode.Range): string => {
    const from = written.document.offsetAt(start);
    return `${start.line + 1}: ${written.document.getText().slice(from, from + end.character - start.character)}`;
  };
  const definitionsAt = async (place: string) => {
    const links = (await symbols.provideDefinition(written.document, behind(place), token)) ?? [];
    return [links].flat().map((link) => {
      assert.ok('targetUri' in link && link.targetSelectionRange && link.originSelectionRange);
      assert.equal(link.targetUri, written.document.uri);
      return [link.originSelectionRange, link.targetSelectionRange, link.targetRange].map(at);
    });
  };
  const referencesAt = async (place: string, includeDeclaration: boolean) => {
    const context = { includeDeclaration };
    const found = await symbols.provideReferences(written.document, behind(place), context, token);
    return (found ?? []).map(({ range }) => at(range));
  };
  const prepared = async (place: string) => {
    const found = await symbols.prepareRename(written.document, behind(place), token);
    assert.ok(found && 'placeholder' in found);
    return [at(found.range), found.placeholder];
  };
  const renamed = async (place: string, to: string) => {
    const edit: unknown = await symbols.provideRenameEdits(written.document, behind(place), to, token);
    assert.ok(edit instanceof vscode.WorkspaceEdit);
    return edit
      .entries()
      .flatMap(([, edits]) => edits.map(({ range, newText }) => `${at(range)} → ${newText}`));
  };

  it('lead to the node, from edges and expressions, and from itself', async () => {
    const node = '{ "id": "fetch", "type": "log", "config": { "message": "\\"{{ nodes.start }}\\"" } }';
    for (const [place, origin] of [
      ['"target": "fe', '8: fetch'],
      ['"source": "fetch', '9: fetch'],
      ['nodes.`fe', '5: fetch'],
      ['"id": "fetch', '4: fetch'],
    ] as const)
      assert.deepEqual(await definitionsAt(place), [[origin, '4: fetch', `4: ${node}`]], place);
    assert.deepEqual(await definitionsAt('"type'), []);
    assert.equal(loaded, 1);
  });

  it('are listed in text order, with the node or without', async () => {
    const uses = ['5: fetch', '8: fetch', '9: fetch'];
    assert.deepEqual(await referencesAt('nodes.`fe', false), uses);
    assert.deepEqual(await referencesAt('"id": "fe', true), ['4: fetch', ...uses]);
    assert.deepEqual(await referencesAt('"message', true), []);
  });

  it('are renamed in one edit', async () => {
    assert.deepEqual(await prepared('nodes.`fe'), ['5: fetch', 'fetch']);
    assert.deepEqual(await renamed('nodes.`fe', 'get it'), [
      '4: fetch → get it',
      '5: `fetch` → `get it`',
      '8: fetch → get it',
      '9: fetch → get it',
    ]);
  });

  it('are shown without their escapes before they are renamed', async () => {
    written.write(text.replaceAll('"fetch"', String.raw`"f\u0065tch \"it\""`));
    assert.deepEqual(await prepared('"id": "f'), [String.raw`4: f\u0065tch \"it\"`, 'fetch "it"']);
  });

  it('say in words why they are not renamed', async () => {
    await assert.rejects(() => prepared('"type'), { message: "There's no node ID here." });
    await assert.rejects(() => renamed('"id": "fe', 'say'), {
      message: 'The ID "say" is used by another node.',
    });
    await assert.rejects(() => renamed('"id": "fe', ''), { message: "A node ID can't be empty." });
    written.write(text.replace('"trigger" },', '"trigger" }'));
    await assert.rejects(() => prepared('"id": "fe'), { message: 'Invalid JSON: a comma is missing.' });
    await assert.rejects(() => renamed('"id": "fe', 'x'), { message: 'Invalid JSON: a comma is missing.' });
    assert.equal((await definitionsAt('"target": "fe')).length, 1);
  });

  it('are renamed in a definition that has other problems', async () => {
    written.write(text.replace('"target": "say"', '"target": "nowhere"').replace('"log"', '"teleport"'));
    assert.equal((await renamed('"id": "fe', 'x')).length, 4);
  });

  it('are none in a file that is no definition', async () => {
    written.write('{ "name": "CI", "steps": [{ "id": "x" }] }');
    assert.deepEqual(await definitionsAt('"id": "x'), []);
    assert.deepEqual(await referencesAt('"id": "x', true), []);
    await assert.rejects(() => prepared('"id": "x'), { message: "There's no node ID here." });
  });
});
