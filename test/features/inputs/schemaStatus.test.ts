// What VS Code's JSON language makes of an input: its language status and its problems.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import jsonLanguageService from 'vscode-json-languageservice';
import { inputUri, pinUri } from '../../../src/ui/addresses.ts';
import { manifest } from '../../support/manifest.ts';

const root = pathToFileURL(`${import.meta.dirname}/../../../`);

/** The JSON language with our contributions, as VS Code hands them over. */
function createJsonLanguage() {
  const schemas = manifest.contributes.jsonValidation.map(({ fileMatch, url }) => ({
    uri: new URL(url, root).toString(),
    fileMatch: fileMatch.map((pattern) => (/^(\w+:\/\/|\/|!)/.test(pattern) ? pattern : `/${pattern}`)),
  }));
  const language = jsonLanguageService.getLanguageService({
    workspaceContext: { resolveRelativePath: (path, base) => new URL(path, base).toString() },
    schemaRequestService: (uri) => Promise.resolve(readFileSync(new URL(uri), 'utf8')),
  });
  language.configure({ validate: true, schemas });
  return async (uri: string, text: string, at = 0) => {
    const document = jsonLanguageService.TextDocument.create(uri, 'json', 1, text);
    const parsed = language.parseJSONDocument(document);
    const problems = await language.doValidation(document, parsed);
    const offered = await language.doComplete(document, document.positionAt(at), parsed);
    return {
      schemas: language.getLanguageStatus(document, parsed).schemas,
      completions: (offered?.items ?? []).map(({ label }) => label),
      problems: problems.map(({ message }) => message),
    };
  };
}

const input = inputUri({ connectionId: 'c_1', workflowId: 'w?1' }, 'My service', 'Order: totals').toString();

describe("VS Code's JSON language", () => {
  const look = createJsonLanguage();

  it('knows that an input is validated, and finds nothing that the extension finds as well', async () => {
    for (const text of ['{ "age": "old" }', '[]', '7']) {
      const { schemas, problems } = await look(input, text);
      assert.deepEqual(schemas, [new URL('media/workflow-input.help.schema.json', root).toString()]);
      assert.deepEqual(problems, []);
    }
  });

  it('knows what answers to requests are', async () => {
    const target = { connectionId: 'c_1', workflowId: 'w?1' };
    const answers = pinUri(target, 'My service', { id: 'ask', name: 'Ask' }, 'answers').toString();
    const good =
      '[{"status": 503}, {"status": 200, "headers": {"a": "b"}, "body": [1]}, {"error": "timeout"}]';
    assert.deepEqual((await look(answers, good)).problems, []);
    const { problems, completions } = await look(answers, '[{"status": 99, }]', '[{"status": 99, '.length);
    assert.equal(problems.length, 2);
    assert.deepEqual(completions, ['headers', 'body', 'error']);
    assert.deepEqual((await look(answers, '[]', 1)).completions, ['Response', 'Busy', 'No response']);
    const output = pinUri(target, 'My service', { id: 'ask', name: 'Ask' }, 'output').toString();
    assert.deepEqual((await look(output, '{}')).schemas, []);
  });

  it('leaves presets alone, which are files for any workflow', async () => {
    const { schemas } = await look('file:///work/order.input.json', '{}');
    assert.deepEqual(schemas, []);
  });
});
