import assert from 'node:assert/strict';
import { addEnvironment, linkFile, renderWorkflowsFile } from '../../src/workflowFiles/editWorkflowsFile.ts';
import { FilesError } from '../../src/workflowFiles/filesError.ts';
import { findEnvironment, readWorkflowsFile } from '../../src/workflowFiles/workflowsFile.ts';

const url = 'https://flows.example.com/v1';
const key = `svc_sk_${'a1'.repeat(16)}`;

describe('workflows.json', () => {
  it('has environments, the default one, and the workflow that a file is in each', () => {
    const read = readWorkflowsFile(
      JSON.stringify({
        environments: { staging: { url }, production: { url, kind: 'n8n', guarded: true } },
        default: 'staging',
        workflows: { 'a.workflow.json': { staging: 'wf_1', production: '9' } },
        more: [1],
      }),
    );
    assert.deepEqual(findEnvironment(read, 'production'), { url, kind: 'n8n', isGuarded: true });
    assert.deepEqual(findEnvironment(read, 'staging'), { url, kind: 'service', isGuarded: false });
    assert.equal(read.defaultEnvironment, 'staging');
    assert.equal(read.workflows.get('a.workflow.json')?.get('production'), '9');
    assert.throws(() => findEnvironment(read, 'constructor'), /It has: staging, production/);
    const named = `{"environments": {"constructor": {"url": "${url}"}}, "workflows": {"a.workflow.json": {"constructor": "1"}}}`;
    assert.equal(findEnvironment(readWorkflowsFile(named), 'constructor').url, url);
    assert.equal(readWorkflowsFile(named).workflows.get('a.workflow.json')?.get('constructor'), '1');
  });

  for (const [what, value, says] of [
    ['no environments', {}, /no "environments" with a "url" each/],
    ['an environment without a URL', { environments: { a: {} } }, /no "environments" with a "url" each/],
    ['another kind', { environments: { a: { url, kind: 'x' } } }, /no "environments"/],
    ['a key', { environments: { a: { url, apiKey: key } } }, /looks like an API key/],
    ['a key as an id', { environments: {}, workflows: { 'a.workflow.json': { a: key } } }, /API key/],
    ['a token', { environments: { a: { url, note: `eyJhbGciOiJIUzI1NiJ9.eyJz.c2ln` } } }, /API key/],
    [
      'ids that are numbers',
      { environments: {}, workflows: { 'a.workflow.json': { a: 1 } } },
      /must have the IDs/,
    ],
    ['a default that is no name', { environments: {}, default: 1 }, /"default"/],
    [
      'a file outside',
      { environments: {}, workflows: { '../a.workflow.json': { a: '1' } } },
      /can't be the file/,
    ],
    [
      'an absolute file',
      { environments: {}, workflows: { '/a.workflow.json': { a: '1' } } },
      /can't be the file/,
    ],
    [
      'one file twice',
      { environments: {}, workflows: { 'a.workflow.json': {}, 'A.workflow.json': {} } },
      /one file/,
    ],
    ['an environment outside', { environments: { '../a': { url } } }, /can't be the name/],
    ['a device', { environments: { con: { url } } }, /can't be the name/],
    ['two names for one key', { environments: { 'a-b': { url }, 'a.b': { url } } }, /share the variable/],
  ] as const) {
    it(`is refused with ${what}`, () =>
      assert.throws(
        () => readWorkflowsFile(JSON.stringify(value)),
        (error) => error instanceof FilesError && says.test(error.message) && !error.message.includes(key),
      ));
  }

  it('is refused when it is no JSON', () =>
    assert.throws(() => readWorkflowsFile('{"environments": '), /isn't valid JSON/));

  it('keeps all that stands in it when a file is linked', () => {
    const text = [
      '\ufeff{',
      '\t"note": 12345678901234567890.10,',
      '\t"workflows": {},',
      '\t"environments": {"staging": {"url": "https://a.example/v1", "own": true}}',
      '}',
      '',
    ].join('\r\n');
    const linked = linkFile(
      linkFile(text, 'a.workflow.json', 'staging', 'wf_1'),
      'b.workflow.json',
      'staging',
      '2',
    );
    assert.equal(
      linked,
      text.replace(
        '{},',
        [
          '{',
          '\t\t"a.workflow.json": {',
          '\t\t\t"staging": "wf_1"',
          '\t\t},',
          '\t\t"b.workflow.json": {',
          '\t\t\t"staging": "2"',
          '\t\t}',
          '\t},',
        ].join('\r\n'),
      ),
    );
    assert.equal(
      linkFile(linked, 'a.workflow.json', 'production', 'wf_9'),
      linked.replace('"wf_1"', '"wf_1",\r\n\t\t\t"production": "wf_9"'),
    );
    assert.equal(linkFile(linked, 'a.workflow.json', 'staging', 'wf_3'), linked.replace('wf_1', 'wf_3'));
  });

  it('stays on one line where it is', () => {
    const text = '{"environments": {"a": {"url": "https://a.example/v1"}}}';
    assert.equal(
      linkFile(text, 'a.workflow.json', 'a', 'wf_1'),
      text.replace(/}$/, ',"workflows": {"a.workflow.json":{"a":"wf_1"}}}'),
    );
  });

  it('keeps an environment that another service is to have the name of', () => {
    const text = renderWorkflowsFile('production', { url, kind: 'service', isGuarded: true });
    const other = { url: 'https://other.example.com/v1', kind: 'service', isGuarded: false } as const;
    assert.throws(() => addEnvironment(text, 'production', other), FilesError);
  });

  it('can be begun, and read again', () => {
    const environment = { url, kind: 'n8n', isGuarded: true } as const;
    const begun = renderWorkflowsFile('staging', { url, kind: 'service', isGuarded: false });
    const read = readWorkflowsFile(addEnvironment(begun, 'production', environment));
    assert.deepEqual(read.environments.get('production'), environment);
    assert.equal(read.defaultEnvironment, 'staging');
  });
});
