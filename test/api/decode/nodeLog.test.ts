// Node logs of every known shape become the same rows, each once and in order.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { decodeNodeLog, logRows, orderNodeLogs, recordRows } from '../../../src/api/decode/nodeLog.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';

function readAll(body: JsonValue): readonly NodeLog[] {
  const rows = (logRows(body) ?? []).map((row, position) => decodeNodeLog(row, position));
  return orderNodeLogs(rows.filter((row) => row !== undefined));
}

describe('node logs', () => {
  it('have what an HTTP request node sent and was answered, and nothing that only has its name', () => {
    const request = { method: 'GET', url: 'http://a/', headers: {}, body: null };
    const response = { status: 200, headers: {}, body: 1 };
    const exchangeOf = (row: JsonObject) => decodeNodeLog({ nodeId: 'a', ...row }, 0)?.exchange;
    assert.deepEqual(exchangeOf({ request, response }), { request, response });
    assert.deepEqual(exchangeOf({ request }), { request });
    const answered = [true, 'true', undefined].map(
      (each) => decodeNodeLog({ request, nodeId: 'a', answered: each ?? null }, 0)?.isAnswered,
    );
    assert.deepEqual(answered, [true, false, false]);
    for (const other of [{}, { response }, { request: 'GET /' }, { request: { url: 'http://a/' } }])
      assert.equal(exchangeOf(other), undefined);
  });

  const a = { id: '1', nodeId: 'a', message: 'one' };
  const b = { id: '2', nodeId: 'b', message: 'two' };
  const shapes: readonly (readonly [string, JsonValue])[] = [
    ['array', [a, b]],
    ['{logs}', { logs: [a, b] }],
    ['{data}', { data: [a, b], nextCursor: null, executionStatus: 'running' }],
    ['{data: {logs}}', { data: { logs: [a, b] } }],
    ['{execution, logs}', { execution: { id: 'x', status: 'running' }, logs: [a, b] }],
    ['{new_logs, log_offset}', { new_logs: [a, b], log_offset: 2 }],
    ['{content} with rows', { content: [a, b], continuation_token: null }],
    ['map name→object', { a: { ...a }, b: { ...b } }],
    ['map name→array', { a: [a], b: [b] }],
    ['map in a holder', { runData: { a: [a], b: [b] } }],
    ['tree', [{ ...a, children: [b] }]],
    ['NDJSON', `${JSON.stringify(a)}\n${JSON.stringify(b)}\n`],
    [
      'NDJSON in content',
      { content: `${JSON.stringify(a)}\r\n${JSON.stringify(b)}`, continuation_token: 'x' },
    ],
    ['one row alone is one row', { ...a, children: [b] }],
  ];
  for (const [title, body] of shapes)
    it(`reads ${title}`, () => {
      const rows = readAll(body);
      assert.deepEqual(
        rows.map((row) => [row.key, row.nodeId, row.message]),
        [
          ['1', 'a', 'one'],
          ['2', 'b', 'two'],
        ],
      );
    });

  it('reads plain text line by line', () => {
    const rows = readAll('first\n\nsecond {x}\r\nthird');
    assert.deepEqual(
      rows.map((row) => row.message),
      ['first', 'second {x}', 'third'],
    );
    assert.equal(new Set(rows.map((row) => row.key)).size, 3);
    assert.deepEqual(
      readAll({ new_logs: 'a\nb', log_offset: 4 }).map((row) => row.message),
      ['a', 'b'],
    );
  });

  it('reads n8n run data: a loop gives one row a turn', () => {
    const turn = (ms: number): JsonValue => ({ startTime: ms, executionTime: 5, executionStatus: 'success' });
    const rows = readAll({ Mail: [turn(1767607200000), turn(1767607201000)] });
    assert.deepEqual(
      rows.map((row) => [row.nodeId, row.iteration, row.durationMs, row.status?.state]),
      [
        ['Mail', [0], 5, 'completed'],
        ['Mail', [1], 5, 'completed'],
      ],
    );
    assert.notEqual(rows[0]?.key, rows[1]?.key);
  });

  it('sorts by sequence, else by time, else not at all', () => {
    const keys = (rows: JsonValue): readonly string[] => readAll(rows).map((row) => row.key);
    assert.deepEqual(
      keys([
        { ...b, sequence: 2 },
        { ...a, sequence: 1 },
      ]),
      ['1', '2'],
    );
    assert.deepEqual(
      keys([
        { ...b, startedAt: '2026-01-05T10:00:02Z' },
        { ...a, startedAt: '2026-01-05T10:00:01Z' },
      ]),
      ['1', '2'],
    );
    assert.deepEqual(keys([b, a]), ['2', '1']);
  });

  it('lets a later row replace an earlier one with the same key', () => {
    const at = '2026-01-05T10:00:02Z';
    const rows = readAll([
      { nodeId: 'n', startedAt: at, status: 'running' },
      { nodeId: 'n', startedAt: at, attempt: 2, status: 'running' },
      { nodeId: 'n', startedAt: at, status: 'completed' },
    ]);
    assert.deepEqual(
      rows.map((row) => [row.attempt, row.status?.state]),
      [
        [1, 'completed'],
        [2, 'running'],
      ],
    );
  });

  it('skips what is no row and keeps the others', () =>
    assert.deepEqual(
      readAll([a, 5, null, {}, { foo: 1 }, b]).map((row) => row.key),
      ['1', '2'],
    ));

  const levels: readonly (readonly [JsonValue, string])[] = [
    [{ message: 'm', level: 'WARNING' }, 'warn'],
    [{ message: 'm', severity: 'CRITICAL' }, 'error'],
    [{ message: 'm', level: 'trace' }, 'debug'],
    [{ message: 'm', level: 'notice' }, 'info'],
    [{ message: 'm', status: 'failed' }, 'error'],
    [{ message: 'm', isError: true }, 'error'],
    [{ message: 'm' }, 'info'],
  ];
  for (const [row, level] of levels)
    it(`gives ${JSON.stringify(row)} the level ${level}`, () =>
      assert.equal(decodeNodeLog(row, 0)?.level, level));

  const messages: readonly (readonly [JsonValue, string])[] = [
    [{ nodeId: 'n', msg: 'm' }, 'm'],
    [{ nodeId: 'n', status: 'failed', error: 'Boom' }, 'Boom'],
    [{ block_id: 'n', status: 'success' }, 'success'],
    [{ nodeId: 'n' }, ''],
  ];
  it('finds the text of a row in event, where nothing else has one', () => {
    const texts: readonly (readonly [JsonValue, string | undefined])[] = [
      [{ event: 'began' }, 'began'],
      [{ event: 'began', nodeId: 'a', level: 'info' }, 'began'],
      [{ event: 'node.started', message: 'began' }, 'began'],
      [{ event: 'broke', error: 'Boom' }, 'broke'],
      [{ event: { message: 'began' } }, 'began'],
      [{ event: 7, nodeId: 'a' }, ''],
      [{ event: '', nodeId: 'a', error: 'Boom' }, 'Boom'],
      [{ event: 7 }, undefined],
    ];
    for (const [row, text] of texts) assert.equal(decodeNodeLog(row, 0)?.message, text, JSON.stringify(row));
    assert.deepEqual(
      readAll('{"event":"began","time":"2026-01-05T10:00:00Z"}').map(({ message }) => message),
      ['began'],
    );
  });

  for (const [row, message] of messages)
    it(`gives ${JSON.stringify(row)} the text "${message}"`, () =>
      assert.equal(decodeNodeLog(row, 0)?.message, message));

  const records: readonly (readonly [string, JsonObject, readonly (readonly [string, string])[]])[] = [
    [
      'texts by node',
      { logs: { a: ['1', '2'], b: '3\n4' } },
      [
        ['a', '1'],
        ['a', '2'],
        ['b', '3'],
        ['b', '4'],
      ],
    ],
    [
      'text',
      { nodeLogs: '1\n2' },
      [
        ['', '1'],
        ['', '2'],
      ],
    ],
    ['rows as JSON in a text', { logs: '[{"nodeId":"a","message":"1"}]' }, [['a', '1']]],
    ['a line that begins like JSON', { logs: '[1] done' }, [['', '[1] done']]],
    ['runs by node', { runData: { a: { status: 'ok' } } }, [['a', 'ok']]],
    ['nodes with ids of their own', { nodes: [{ id: 'a', name: 'A', state: 'ok' }] }, [['a', 'ok']]],
    [
      'a definition beside the steps',
      { nodes: [{ id: 'a', name: 'A' }], steps: [{ nodeId: 'b', msg: '1' }] },
      [['b', '1']],
    ],
    ['an empty list before another', { logs: [], steps: [{ nodeId: 'b', msg: '1' }] }, [['b', '1']]],
  ];
  for (const [title, record, expected] of records)
    it(`finds in a record ${title}`, () =>
      assert.deepEqual(
        (recordRows(record) ?? [])
          .map((row, at) => decodeNodeLog(row, at))
          .map((row) => [row?.nodeId, row?.message]),
        expected,
      ));

  it('finds nothing in a record without rows', () => {
    assert.equal(recordRows({ id: 'e', status: 'completed' }), undefined);
    assert.deepEqual(recordRows({ logs: [] }), []);
  });

  it('holds nothing in a body that is no log', () => {
    assert.equal(logRows({ foo: 1 }), undefined);
    assert.equal(logRows(null), undefined);
  });
});
