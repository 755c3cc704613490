import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LazyHelp, type TextPlace } from '../../../src/editor/lazy/lazySurfaces.ts';
import { providers } from '../../support/providers.ts';

describe('the help for a text', () => {
  it('is for the text as it was when the editor asked, also where somebody types while the app is loaded', async () => {
    let text = '"$"';
    const typed = Promise.withResolvers<undefined>();
    const asked: TextPlace[] = [];
    const help = new LazyHelp('json', ['$'], async () => {
      await typed.promise;
      help.attach({
        complete: (place) => {
          asked.push(place);
          return Promise.resolve([]);
        },
        explain: () => Promise.resolve(undefined),
      });
    });
    const document = { getText: () => text, offsetAt: () => 2 };
    const provider = providers.completion;
    assert.ok(provider);
    const found = provider.provideCompletionItems(
      document,
      new vscode.Position(0, 2),
      { isCancellationRequested: false },
      { triggerCharacter: '$' },
    );
    text = '"$substring"';
    typed.resolve(undefined);
    assert.deepEqual(await found, []);
    assert.deepEqual(
      asked.map((place) => [place.text, place.offset]),
      [['"$"', 2]],
    );
  });
});
