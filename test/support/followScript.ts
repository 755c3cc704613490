// A service in a few lines, as a follower meets it: streams, statuses and logs one after the other.
import assert from 'node:assert/strict';
import { type Ending, eventStream } from './following.ts';
import { createScriptedClient, type ScriptedClient } from './scriptedClient.ts';
import type { ScriptedAnswer } from './scriptedPort.ts';

export interface Script {
  /** Streams in the order in which they are opened: text and what follows it, or another answer. */
  readonly streams: readonly (readonly [string, Ending] | ScriptedAnswer)[];
  /** The execution's status by the number of the read, the last one for all later reads. */
  readonly statuses?: readonly (string | ScriptedAnswer)[];
  /** Rows that the JSON logs hold, by the number of the read. */
  readonly logs?: readonly (readonly number[])[];
}

function at<T>(list: readonly T[], index: number): T {
  return list[Math.min(index, list.length - 1)] ?? assert.fail('The script has nothing to say.');
}

/** The real client on the script. */
export function play({ streams, statuses = ['running'], logs = [[]] }: Script): ScriptedClient {
  const counts = { streams: 0, statuses: 0, logs: 0 };
  return createScriptedClient((path, request) => {
    if (!/^\/executions\/x(\/logs)?(\?|$)/.test(path)) return { status: 405 };
    if (!path.includes('/logs')) {
      const status = at(statuses, counts.statuses++);
      return typeof status === 'string' ? { body: { id: 'x', status } } : status;
    }
    if (request.headers['Accept'] !== 'text/event-stream') {
      const rows = at(logs, counts.logs++);
      return {
        body: { data: rows.map((sequence) => ({ id: `l${sequence}`, sequence, nodeId: 'n', message: 'm' })) },
      };
    }
    const stream = at(streams, counts.streams++);
    return 'length' in stream ? eventStream(stream[0], stream[1], request) : stream;
  });
}

/** The requests that asked for a stream. */
export const streamsOf = ({ requests }: ScriptedClient): readonly ScriptedClient['requests'][number][] =>
  requests.filter(({ isStream }) => isStream);
