import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event.ts';
import { DocumentMarks, lookWhileTyping, type Mark } from '../../../src/editor/documents/documentMarks.ts';
import { providers } from '../../support/providers.ts';
import { collections } from '../../support/vscodeStandIn.ts';
import { openWritten } from '../../support/writtenDocument.ts';

type Found = ReturnType<ConstructorParameters<typeof DocumentMarks>[0]['find']>;

const uri = vscode.Uri.parse('untitled:/a.txt');
const selector = { scheme: 'untitled' };

/** A mark on each "no" of a text, which may be changed to "yes" or removed. */
function findNo(document: vscode.TextDocument): readonly Mark[] {
  return [...document.getText().matchAll(/no/g)].map(({ index: offset }) => ({
    offset,
    length: 2,
    message: 'No.',
    severity: 'Warning',
    fixes: () => [
      { title: 'Change', isPreferred: true, edits: [{ offset, length: 2, content: 'yes' }] },
      { title: 'Remove All', edits: [{ offset: 0, length: document.getText().length, content: '' }] },
    ],
  }));
}

const shown = (address = uri) =>
  collections
    .get('workflowAutomation.test')
    ?.of(address.toString())
    .map(({ range: { start, end } }) => [start.character, end.character]);

const actionsAt = (document: vscode.TextDocument, start: number, end: number) =>
  providers.actions?.provideCodeActions(document, new vscode.Range(0, start, 0, end)) ?? assert.fail();

describe('marks on documents', () => {
  let marks: DocumentMarks;
  afterEach(() => marks.dispose());

  describe('that are found at once', () => {
    beforeEach(() => {
      marks = new DocumentMarks({ name: 'test', selector, find: findNo, watch: lookWhileTyping });
    });

    it('follow the text from opening to closing', () => {
      const { write, close } = openWritten(uri, 'no');
      assert.deepEqual(shown(), [[0, 2]]);
      write('a no');
      assert.deepEqual(shown(), [[2, 4]]);
      close();
      assert.deepEqual(shown(), []);
    });

    it('leave documents alone that the selector does not name', () => {
      const other = vscode.Uri.parse('file:///a.txt');
      const { close } = openWritten(other, 'no');
      assert.deepEqual(shown(other), []);
      close();
    });

    it('stay with a new document that has the address of a closed one', () => {
      const first = openWritten(uri, 'no');
      const second = openWritten(vscode.Uri.parse(uri.toString()), 'a no');
      first.close();
      assert.deepEqual(shown(), [[2, 4]]);
      second.close();
      assert.deepEqual(shown(), []);
    });

    it('have the quick fixes of the range, each once', () => {
      const { document, close } = openWritten(uri, 'no no');
      assert.deepEqual(
        actionsAt(document, 3, 3).map(({ title, isPreferred }) => [title, isPreferred]),
        [
          ['Change', true],
          ['Remove All', false],
        ],
      );
      const [{ edit, diagnostics } = assert.fail()] = actionsAt(document, 3, 3);
      assert.deepEqual(
        edit
          ?.entries()
          .map(([, edits]) => edits.map(({ range, newText }) => [range.start.character, newText])),
        [[[3, 'yes']]],
      );
      assert.equal(diagnostics?.[0]?.message, 'No.');
      assert.deepEqual(
        actionsAt(document, 0, 5).map(({ title }) => title),
        ['Change', 'Change', 'Remove All'],
      );
      close();
    });

    it('are gone when they are cleared, and come back with the next look', () => {
      const { document, close } = openWritten(uri, 'no');
      marks.clear();
      assert.deepEqual(shown(), []);
      assert.deepEqual(actionsAt(document, 0, 2), []);
      marks.look(document);
      assert.deepEqual(shown(), [[0, 2]]);
      close();
    });
  });

  it('have no quick fixes for a text that changed since', () => {
    marks = new DocumentMarks({ name: 'test', selector, find: findNo });
    const { document, write, close } = openWritten(uri, 'no');
    marks.look(document);
    write('is no');
    assert.deepEqual(actionsAt(document, 0, 5), []);
    marks.look(document);
    assert.equal(actionsAt(document, 0, 5).length, 2);
    close();
  });

  describe('that take a while', () => {
    let asked: { readonly signal: AbortSignal; readonly finish: (found: readonly Mark[]) => void }[];
    let documents: vscode.TextDocument[];
    const changed = new Emitter<void>();
    const basis = { current: 1 };

    beforeEach(() => {
      asked = [];
      documents = [];
      marks = new DocumentMarks({
        name: 'test',
        selector,
        find: (document, signal): Found => {
          const { promise, resolve } = Promise.withResolvers<readonly Mark[]>();
          asked.push({ signal, finish: resolve });
          documents.push(document);
          return promise;
        },
        dependsOn: () => [basis.current],
        watch: ({ lookAgain }) => changed.event(lookAgain),
      });
    });

    const at = (offset: number): readonly Mark[] => [
      { offset, length: 1, message: 'Here.', severity: 'Error' },
    ];
    /** Everything that is settled already has gone on. */
    const settled = () => new Promise((resolve) => setImmediate(resolve));

    it('stay until others are found, and a late result of an earlier look is dropped', async () => {
      const { document, write, close } = openWritten(uri, 'text');
      marks.look(document);
      asked[0]?.finish(at(0));
      await settled();
      assert.deepEqual(shown(), [[0, 1]]);
      write('texts');
      marks.look(document);
      write('texts!');
      marks.look(document);
      assert.deepEqual(
        asked.map(({ signal }) => signal.aborted),
        [true, true, false],
      );
      asked[1]?.finish(at(1));
      await settled();
      assert.deepEqual(shown(), [[0, 1]]);
      asked[2]?.finish(at(2));
      await settled();
      assert.deepEqual(shown(), [[2, 3]]);
      close();
    });

    it('of a text that changed meanwhile are dropped', async () => {
      const { document, write, close } = openWritten(uri, 'text');
      marks.look(document);
      write('texts');
      asked[0]?.finish(at(0));
      await settled();
      assert.deepEqual(shown(), []);
      close();
    });

    it('are not shown on a closed document', async () => {
      const { document, close } = openWritten(uri, 'text');
      marks.look(document);
      close();
      asked[0]?.finish(at(0));
      await settled();
      assert.deepEqual(shown(), []);
    });

    it('are looked for again only when something that they are made of has changed', () => {
      const { document, close } = openWritten(uri, 'text');
      marks.look(document);
      marks.look(document);
      changed.fire();
      assert.equal(asked.length, 1);
      basis.current = 2;
      changed.fire();
      assert.equal(asked.length, 2);
      assert.deepEqual(documents, [document, document]);
      close();
      changed.fire();
      assert.equal(asked.length, 2);
    });
  });
});
