// A log takes whatever it's given: no value that a library prints or throws ends the process, or shows a key.
import assert from 'node:assert/strict';
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { Logger } from '../../../src/base/logger.ts';
import { isJsonObject, parseJson } from '../../../src/base/json.ts';
import {
  createMaskText,
  createJsonLog,
  createPlainLog,
  reportConsole,
} from '../../../src/service/process/programLog.ts';
import { SecretMask } from '../../../src/service/secrets/secretMask.ts';
import { postgresProblemOf } from '../../../src/service/store/postgres/postgresError.ts';
import { StorageLog } from '../../../src/service/store/storageError.ts';
import { type OddPrint, oddPrints, secretKey } from '../../support/oddPrints.ts';
import { textAt } from '../calls.ts';

const password = 'the-password-of-the-database';
const databaseUrl = `postgres://someone:${password}@db.example/team`;
const secretValue = 'value-of-a-secret';
const longestLine = 40_000;

/** Prints a row as a library does, on every level; returns what the log has written of its errors. */
function print({ printed }: OddPrint, createLog: (write: (line: string) => void) => Logger): string {
  const lines: string[] = [];
  const target: Partial<Console> = {};
  reportConsole(
    createLog((line) => lines.push(line)),
    target,
  );
  for (const name of ['log', 'info', 'debug', 'trace', 'warn'] as const) target[name]?.(...printed);
  lines.length = 0;
  target.error?.(...printed);
  assert.equal(lines.length, 1);
  return lines[0] ?? '';
}

describe('The log of the service', () => {
  const hide = createMaskText([databaseUrl], new SecretMask([secretValue]));

  for (const row of oddPrints)
    it(`takes ${row.title}`, () => {
      const plain = print(row, (write) => createPlainLog(write, hide));
      assert.match(plain, row.says);
      const json = print(
        row,
        (write) =>
          new StorageLog(
            createJsonLog(write, hide, () => 0),
            { database: 'team' },
          ),
      );
      const line = parseJson(json);
      assert.ok(isJsonObject(line), json);
      const reason = 'reason' in line ? textAt(line, 'reason') : '';
      assert.match(`${textAt(line, 'message')} ${reason}`, row.says);
      for (const written of [plain, json]) {
        assert.ok(!written.includes(secretKey.slice(0, 20)), written.slice(0, 1000));
        assert.ok(written.length < longestLine, String(written.length));
      }
      for (const value of row.printed) postgresProblemOf(value);
    });

  it('takes what a library prints in any way a console has, and leaves nothing on stdout and stderr', () => {
    const printed: string[] = [];
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        printed.push(String(chunk));
        done();
      },
    });
    const target = new Console({ stdout: stream, stderr: stream });
    const lines: string[] = [];
    const say = (message: string): void => void lines.push(message);
    reportConsole({ debug: say, info: say, warn: say, error: say }, target);
    const value = { url: databaseUrl };
    target.dir(value, { depth: 1 });
    target.dirxml(value);
    target.table([value]);
    target.group(databaseUrl);
    target.assert(false, databaseUrl);
    assert.deepEqual(printed, []);
    assert.equal(lines.length, 5);
    assert.equal(lines[0], `A library reports: ${JSON.stringify(value)}`);
  });

  it('hides a password also where it would be cut', () => {
    const lines: string[] = [];
    const log = createPlainLog((line) => lines.push(line), hide);
    for (let before = 16_340; before < 16_390; before += 1) log.error(`${'x'.repeat(before)}${password}`);
    for (const line of lines) assert.ok(!line.includes(password.slice(0, 5)), line.slice(-100));
  });
});
