// Tells an execution's output from the envelope it may come in (contract section 7.4).
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { pickOutput, decodeRunError, runNames } from './execution.ts';
import { pick, pickPresent } from './fields.ts';
import { decodeStatus } from './statusWords.ts';
import type { Output } from '../../domain/execution.ts';

const siblings = ['id', 'executionId', 'runId', 'status', 'state'];

function readEnvelope(record: JsonObject): Output {
  const status = decodeStatus(record, false);
  const output = pickOutput(record) ?? null;
  if (output === null && status && !status.isTerminal) return { kind: 'notReady', status };
  return { kind: 'ready', output, error: decodeRunError(pick(record, ['error'])) };
}

/** The output in a JSON body: taken out of an envelope only when it is surely one, else the whole body. */
export function decodeOutput(body: JsonValue): Output {
  if (isJsonObject(body)) {
    const hasOutput = pickPresent(body, runNames.output) !== undefined;
    if (hasOutput && pick(body, siblings) !== undefined) return readEnvelope(body);
    const data = body['data'];
    const isWrapped = isJsonObject(data) && Object.keys(body).length === 1;
    if (isWrapped && pickPresent(data, runNames.output) !== undefined && pick(data, siblings) !== undefined)
      return readEnvelope(data);
  }
  return { kind: 'ready', output: body, error: null };
}
