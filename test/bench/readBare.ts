import assert from 'node:assert/strict';
import * as v from 'valibot';

const Row = v.object({ nodeId: v.string(), level: v.string(), message: v.string(), timestamp: v.string() });

/** Reads the stream, parses its rows, and hands over the lines of each piece together. */
export async function readBare(
  port: number,
  executionId: string,
  take: (lines: readonly string[]) => Promise<unknown> | undefined,
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/executions/${executionId}/logs/stream`);
  assert.ok(response.body);
  let rest = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    const lines = events.flatMap((event) => {
      if (!event.includes('event: log')) return [];
      const data = event.slice(event.indexOf('data: ') + 'data: '.length);
      const { nodeId, level, message, timestamp } = v.parse(Row, JSON.parse(data));
      return [`${timestamp} [${level}] Long > ${nodeId}: ${message}\n`];
    });
    await take(lines);
  }
}
