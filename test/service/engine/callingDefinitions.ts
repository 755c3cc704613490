// Definitions whose nodes call a server that counts.
import type { JsonObject } from '../../../src/base/json.ts';
import type { FailingServer } from './failingServer.ts';

export const edge = (source: string, target: string, branch?: string): JsonObject =>
  branch === undefined ? { source, target } : { source, target, branch };
export const start = { id: 'start', type: 'trigger' };
export const end = (expression: string): JsonObject => ({
  id: 'end',
  type: 'output',
  config: { expression },
});
/** The output of `loop`. */
export const tenPaths = Array.from({ length: 10 }, (_item, index) => `/b${index}`);

interface CallingDefinitions {
  /** A node that calls the path. */
  readonly ask: (id: string, path: string) => JsonObject;
  /** a, b and c follow one another. */
  readonly line: () => JsonObject;
  /** a and b for each of ten items. */
  readonly loop: () => JsonObject;
}

export function definitionsOn(server: FailingServer): CallingDefinitions {
  const ask = (id: string, path: string): JsonObject => ({
    id,
    type: 'httpRequest',
    config: { url: `${server.origin}${path}` },
  });
  /** a, b and c follow one another. */
  const line = (): JsonObject => ({
    name: 'Line',
    nodes: [
      start,
      ask('a', '/a'),
      ask('b', '/b'),
      ask('c', '/c'),
      end('nodes.a.body.path & nodes.c.body.path'),
    ],
    edges: [edge('start', 'a'), edge('a', 'b'), edge('b', 'c'), edge('c', 'end')],
  });
  /** a and b for each of ten items. */
  const loop = (): JsonObject => ({
    name: 'Loop',
    nodes: [
      start,
      { id: 'each', type: 'forEach', config: { items: '[0..9]', result: 'nodes.b.body.path' } },
      ask('a', '/a{{ item }}'),
      ask('b', '/b{{ item }}'),
      ask('after', '/after'),
      end('nodes.each'),
    ],
    edges: [
      edge('start', 'each'),
      edge('each', 'a', 'each'),
      edge('a', 'b'),
      edge('each', 'after', 'done'),
      edge('after', 'end'),
    ],
  });
  return { ask, line, loop };
}
