// The administrator of the database may configure it for other programs; the service sets what it relies on itself.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import postgres from 'postgres';
import { readDatabaseUrl } from '../../../src/service/store/postgres/address.ts';
import { connectionOptions } from '../../../src/service/store/postgres/pool.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { createEmptyDatabase } from '../../support/storage.ts';
import { call, chain, createDeployed, execute, follow, type Service } from '../calls.ts';
import { createKey, type Program, runProgram, startTeamService } from '../process/program.ts';

const unusual: Readonly<Record<string, string>> = {
  default_transaction_isolation: 'serializable',
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Asia/Kathmandu',
  standard_conforming_strings: 'off',
  extra_float_digits: '-10',
  lock_timeout: '1ms',
  idle_session_timeout: '100ms',
  statement_timeout: '5s',
  bytea_output: 'escape',
  client_encoding: 'LATIN1',
  search_path: 'nowhere',
};

describe('A database with unusual settings', () => {
  let program: Program | undefined;
  after(() => program?.kill());

  it('is used like any other: no call fails, and times are as they should be', async () => {
    const address = await createEmptyDatabase('unusual');
    const own = postgres(address.url, { max: 1 });
    for (const [name, value] of Object.entries(unusual))
      await own.unsafe(`ALTER DATABASE unusual SET ${name} = '${value}'`);
    await own.end();
    await migrate(address);
    const key = await createKey(address);
    program = await startTeamService(address);
    const { origin } = new URL(program.baseUrl);
    const service: Service = { key, app: { request: (path, init) => fetch(origin + path, init) } };
    const id = await createDeployed(
      service,
      chain(['start', 'trigger'], ['wait', 'delay', { milliseconds: 300 }], ['say', 'log', { message: 'ü' }]),
    );
    const executions = await Promise.all(Array.from({ length: 20 }, () => execute(service, id, {})));
    // Fewer at once than the 20 responses that a key may leave unread, however slow this process reads.
    const answers = [];
    for (const rest of ['', '/output', '/logs']) {
      const paths = executions.map((executionId) => `/v1/executions/${executionId}${rest}`);
      for (let from = 0; from < paths.length; from += 10)
        answers.push(
          ...(await Promise.all(paths.slice(from, from + 10).map((path) => call(service, 'GET', path)))),
        );
    }
    assert.deepEqual(
      answers.filter(({ status }) => status !== 200).map(({ text }) => text),
      [],
    );
    const logs = await Promise.all(executions.map((executionId) => follow(service, executionId)));
    assert.ok(logs.every((rows) => rows.at(-1)?.['status'] === 'completed'));
    // What the program says: no connection was lost, and nothing was tried again.
    const lines = program
      .errors()
      .split('\n')
      .filter((line) => /"level":"(warn|error)"/.test(line));
    assert.deepEqual(lines, []);
  });

  it('has a connection with what the service relies on', async () => {
    const address = await createEmptyDatabase('relied');
    const own = postgres(address.url, { max: 1 });
    for (const [name, value] of Object.entries(unusual))
      await own.unsafe(`ALTER DATABASE relied SET ${name} = '${value}'`);
    await own.end();
    const connection = postgres(address.url, connectionOptions(1));
    const shown: Record<string, unknown> = {};
    for (const name of Object.keys(unusual)) {
      const [row] = await connection.unsafe<{ value: string }[]>(
        `SELECT current_setting('${name}') AS value`,
      );
      shown[name] = row?.value;
    }
    await connection.end();
    assert.deepEqual(shown, {
      default_transaction_isolation: 'read committed',
      DateStyle: 'ISO, MDY',
      IntervalStyle: 'sql_standard',
      TimeZone: 'UTC',
      standard_conforming_strings: 'on',
      extra_float_digits: '1',
      lock_timeout: '30s',
      idle_session_timeout: '0',
      statement_timeout: '30s',
      bytea_output: 'escape',
      client_encoding: 'UTF8',
      search_path: 'workflow_automation',
    });
  });
});

describe('A pooler that takes no settings', () => {
  let pooler: Server;
  let port = 0;
  before(async () => {
    // Answers every start as PgBouncer does.
    pooler = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: DateStyle'].join('\0') + '\0\0';
        const body = Buffer.from(fields);
        const head = Buffer.alloc(5);
        head.write('E');
        head.writeInt32BE(body.length + 4, 1);
        socket.end(Buffer.concat([head, body]));
      });
    }).listen(0, '127.0.0.1');
    await once(pooler, 'listening');
    const address = pooler.address();
    assert.ok(address !== null && typeof address !== 'string');
    ({ port } = address);
  });
  after(() => pooler.close());

  it('is reported with its own message, not as a database that is away', async () => {
    const { url } = readDatabaseUrl(`postgres://someone@127.0.0.1:${port}/any`);
    const { code, stderr } = await runProgram('migrate', '--database-url', url);
    assert.deepEqual([code, stderr], [1, 'unsupported startup parameter: DateStyle\n']);
  });
});
