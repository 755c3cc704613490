// Reads and lays out one definition, so that whoever waits can end it, and its memory is bounded.
import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import { DefinitionText } from '../../../src/definition/definitionText.ts';
import { readGraph } from '../../../src/features/graph/readGraph.ts';
import { placeGraph } from '../../../src/webview/graph/layout.ts';
import { isJsonObject } from '../../../src/base/json.ts';

const definition: unknown = workerData;
assert.ok(isJsonObject(definition));
const { nodes, edges } = readGraph(DefinitionText.of(definition), []);
const placed = (['right', 'down'] as const).map((direction) => placeGraph(nodes, edges, direction));
parentPort?.postMessage(placed);
