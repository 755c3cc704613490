// A link may come from anybody: it's read as data, bounded, and holds neither an address nor a key.
import assert from 'node:assert/strict';
import {
  type ExecutionLink,
  linkPath,
  readExecutionLink,
  serviceFingerprint,
  writeExecutionLink,
} from '../../../../src/features/executions/links/executionLink.ts';

const remote = (baseUrl: string) => serviceFingerprint({ kind: 'remote', baseUrl });
const local = (baseUrl: string) => serviceFingerprint({ kind: 'local', baseUrl });
const baseUrl = 'https://automation.example/v1';

const service = 'a'.repeat(22);
const query = `execution=exec_1&workflow=wf_1&service=${service}`;

describe('the fingerprint of a service', () => {
  it('is that of its base URL, however it is written', async () => {
    const known = await remote(baseUrl);
    assert.match(known, /^[\w-]{22}$/);
    for (const same of ['https://AUTOMATION.example:443/v1', `${baseUrl}/`, `${baseUrl}?x=1`])
      assert.equal(await remote(same), known, same);
    for (const other of [
      'http://automation.example/v1',
      'https://automation.example:8443/v1',
      'https://automation.example/v2',
      'https://automation.example/team/v1',
      'https://automation.example.org/v1',
    ])
      assert.notEqual(await remote(other), known, other);
  });

  it('stays the same for a local service at another address, and is that of no other service', async () => {
    const known = await local('http://127.0.0.1:4000/v1');
    assert.equal(await local('http://127.0.0.1:5000/v1'), known);
    assert.notEqual(await remote('http://127.0.0.1:4000/v1'), known);
  });
});

describe('a link to an execution', () => {
  for (const link of [
    { executionId: 'exec_1', service },
    { executionId: 'exec_1', workflowId: 'wf_1', service },
    { executionId: 'a:b@c.d~e-f', service, nodeRunKey: '["n & =%",[0],1,"turn 2 ä"]' },
  ] satisfies ExecutionLink[])
    it(`is read as it was written: ${JSON.stringify(link)}`, () => {
      const text = writeExecutionLink(link) ?? assert.fail('It is no link.');
      assert.deepEqual(readExecutionLink(linkPath, text), link);
      assert.deepEqual(readExecutionLink(linkPath, decodeURIComponent(text)), link, 'decoded on the way');
    });

  it("isn't written for ids that it can't hold; a workflow of such an id is left out", () => {
    for (const executionId of ['', 'a/b', '..', 'a b', 'a&b', 'x'.repeat(201), 'a\u202eb', 'ä'])
      assert.equal(writeExecutionLink({ executionId, service }), undefined, executionId);
    const written = writeExecutionLink({ executionId: 'e1', workflowId: 'a/b', service });
    assert.deepEqual(readExecutionLink(linkPath, written ?? ''), { executionId: 'e1', service });
  });

  it("is read without the members that it needn't have, such as an address or a key", () => {
    const more =
      '&host=evil.example&baseUrl=https%3A%2F%2Fevil.example&key=svc_sk_x&command=quit&__proto__=x';
    assert.deepEqual(readExecutionLink(linkPath, query + more), {
      executionId: 'exec_1',
      workflowId: 'wf_1',
      service,
    });
  });

  for (const [name, path, text] of [
    ['without an execution', linkPath, `service=${service}`],
    ['without a service', linkPath, 'execution=exec_1'],
    ['with nothing', linkPath, ''],
    ['with an empty id', linkPath, `execution=&service=${service}`],
    ['that leads out of its path', linkPath, `execution=../../workflows&service=${service}`],
    ['that leads out of its path, encoded', linkPath, `execution=..%2F..%2Fworkflows&service=${service}`],
    ['with dots alone', linkPath, `execution=..&service=${service}`],
    ['with a command', linkPath, `execution=command:workbench.action.quit?[1]&service=${service}`],
    ['with a shell in it', linkPath, `execution=$(reboot)&service=${service}`],
    ['with HTML', linkPath, `execution=<img/src=x>&service=${service}`],
    ['with a line end', linkPath, `execution=exec_1%0d%0aX-Evil:1&service=${service}`],
    ['with two executions', linkPath, `execution=exec_1&execution=exec_2&service=${service}`],
    ['with a host as its service', linkPath, 'execution=exec_1&service=https://evil.example'],
    ['with a service of another length', linkPath, `execution=exec_1&service=${service}a`],
    ['with an id that is too long', linkPath, `execution=${'x'.repeat(201)}&service=${service}`],
    ['that is huge', linkPath, `${query}&more=${'x'.repeat(100_000)}`],
    ['with a node run that is no base64url', linkPath, `${query}&nodeRun=../x`],
    ['with a node run that is too long', linkPath, `${query}&nodeRun=${'x'.repeat(1001)}`],
    ['with another path', '/workflow', query],
    ['with a path below', '/execution/../execution', query],
  ] as const)
    it(`isn't one ${name}`, () => assert.equal(readExecutionLink(path, text), undefined));
});
