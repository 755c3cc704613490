// A version of a document is parsed once, and whoever follows definitions hears of those that are open already.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { definitionUri } from '../../src/ui/addresses.ts';
import { MemoryLinks } from '../support/memory/links.ts';
import { DefinitionTargets } from '../../src/ui/definitionTargets.ts';
import { DefinitionTexts } from '../../src/ui/definitionTexts.ts';
import { HandClock } from '../support/memory/ports.ts';
import { documents } from '../support/vscodeStandIn.ts';
import { serviceTraits } from '../../src/domain/serviceTraits.ts';

const target = { connectionId: 'c', workflowId: 'w' };

/** A document that a test edits. */
class Written {
  readonly uri: vscode.Uri;
  readonly languageId = 'json';
  version = 1;
  constructor(uri: vscode.Uri) {
    this.uri = uri;
  }
  getText(): string {
    return `{ "version": ${this.version} }`;
  }
}

describe('the texts of definitions', () => {
  let clock: HandClock;
  let texts: DefinitionTexts;
  const definition = new Written(definitionUri(target, 'Connection', 'Workflow'));
  const other = new Written(vscode.Uri.file('/notes.json'));

  beforeEach(() => {
    clock = new HandClock();
    texts = new DefinitionTexts({
      clock,
      definitionTargets: new DefinitionTargets(new MemoryLinks()),
      services: { traits: () => serviceTraits.remote },
    });
  });
  afterEach(() => {
    texts.dispose();
    for (const document of [...documents.all]) documents.close(document);
  });

  it('are the same for the same version', () => {
    const first = texts.of(definition);
    assert.equal(texts.of(definition), first);
    definition.version += 1;
    assert.equal(texts.of(definition).text, definition.getText());
    assert.notEqual(texts.of(definition), first);
  });

  it('are told at once where they are open, and once they rest where they are opened', async () => {
    const told: string[] = [];
    const listener = ({ uri }: vscode.TextDocument): void => void told.push(uri.path);
    documents.open(other);
    documents.open(definition);
    texts.onDidRest(listener);
    assert.deepEqual(told, [definition.uri.path]);
    await clock.advance(200);
    assert.deepEqual(told, [definition.uri.path, definition.uri.path]);
  });

  it('are no longer told once they are closed', async () => {
    let count = 0;
    texts.onDidRest(() => (count += 1));
    documents.open(definition);
    documents.close(definition);
    await clock.advance(200);
    assert.equal(count, 0);
  });
});
