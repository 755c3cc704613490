// Every place that shows Markdown, with one value in each field of it that comes from outside.
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { stringifyJson } from '../../src/base/json.ts';
import { plainLine } from '../../src/base/format.ts';
import {
  renderApiKey,
  renderConnection,
  renderSecret,
} from '../../src/features/connections/connectionRows.ts';
import { renderBudget } from '../../src/features/connections/budgetItem.ts';
import { renderExplanation } from '../../src/features/definitions/completion/definitionHelp.ts';
import { describeValue } from '../../src/features/definitions/expressions/expressionHints.ts';
import { renderNodeHover as renderNodeHover } from '../../src/features/definitions/shownExecution/nodeHover.ts';
import { renderDifferenceHover as renderFieldHover } from '../../src/features/executions/comparison/register.ts';
import { placeElements, renderPlace } from '../../src/features/executions/search/foundRows.ts';
import { renderSavedSearch, savedSearchElement } from '../../src/features/executions/search/savedRows.ts';
import { toHoverText } from '../../src/features/inputs/schemaHover.ts';
import { eventElement, renderEvent } from '../../src/features/portalEvents/eventRows.ts';
import { renderValue } from '../../src/features/tests/testHelp.ts';
import { renderWorkflow } from '../../src/features/workflows/workflowRow.ts';
import { ServiceError } from '../../src/domain/errors.ts';
import { createFeed } from '../support/memory/logs.ts';
import { executionElement, runTreeElement } from '../../src/ui/rows/executionElements.ts';
import { renderExecution } from '../../src/ui/rows/executionRows.ts';
import { listBelow, renderRunTree } from '../../src/ui/rows/nodeRunRows.ts';
import {
  foldNodeRuns,
  makeExecution,
  makeNodeLog,
  makeWorkflow,
  statusOf,
} from '../support/memory/records.ts';

const now = Date.parse('2026-01-05T12:00:00.000Z');

/** The Markdown of the place with this value in each of its fields. */
export type Place = (value: string) => readonly (vscode.TreeItem['tooltip'] | vscode.MarkdownString)[];

const unknownStatus = (word: string) => ({ ...statusOf('unknown'), word });
export const failureOf = (value: string) => ({ code: value, message: value, nodeId: value });

function nodeRunTooltips(value: string): ReturnType<Place> {
  const execution = executionElement('c', 'w', 'e');
  const feed = createFeed();
  const named = { nodeId: value, nodeName: value, nodeType: value, message: value, error: failureOf(value) };
  feed.append([
    makeNodeLog(1, { ...named, status: unknownStatus(value) }),
    makeNodeLog(2, { ...named, nodeId: 'each', nodeType: 'forEach', status: statusOf('failed') }),
    makeNodeLog(3, { ...named, nodeId: 'in', iteration: [0], status: statusOf('failed') }),
  ]);
  const elements = feed.runTree.items.map((item) => runTreeElement(execution, item));
  const all = elements.flatMap((element) => [element, ...listBelow(feed.runTree, element)]);
  assert.ok(all.length >= 3);
  return all.map((element) => renderRunTree(feed.runTree, element, now)?.tooltip);
}

export const places: Readonly<Record<string, Place>> = {
  'what completion offers for a test': (value) => [renderValue(stringifyJson({ [value]: value }, 2))],
  'the tooltip of a workflow': (value) => [
    renderWorkflow(
      makeWorkflow(value, { name: value, description: value }),
      makeExecution(value, { status: unknownStatus(value) }),
      now,
    ).tooltip,
    renderWorkflow(
      makeWorkflow(value, { name: value }),
      makeExecution(value, { status: statusOf('failed'), error: failureOf(value) }),
      now,
    ).tooltip,
  ],
  'the tooltip of an execution': (value) => [
    renderExecution(
      makeExecution(value, { status: unknownStatus(value), error: failureOf(value) }),
      undefined,
      now,
      { owner: plainLine(value) },
    ).tooltip,
  ],
  'the tooltips of node runs, loops and turns': nodeRunTooltips,
  'the tooltip of a place that a search found': (value) => {
    const execution = makeExecution(value, {
      found: [{ place: 'nodeRun', nodeId: value, path: value, excerpt: value }],
    });
    const [element] = placeElements(executionElement('c', value, value), execution.found);
    assert.ok(element);
    return [renderPlace(element, execution, value, [])?.tooltip];
  },
  'the tooltip of a saved search': (value) => {
    const saved = { name: value, query: value, isCounted: true };
    return [renderSavedSearch(savedSearchElement('c', saved), saved, { count: 1, hasMore: false }).tooltip];
  },
  'the tooltip of a portal event': (value) => [
    renderEvent(
      eventElement('c', {
        key: value,
        id: value,
        type: value,
        timestamp: new Date(now),
        workflowId: value,
        executionId: value,
        nodeName: value,
        iteration: [1],
        data: { [value]: value, list: [value] },
        raw: {},
      }),
      plainLine(value),
      now,
    ).tooltip,
  ],
  'the tooltip of a connection': (value) => [
    renderConnection(
      { id: 'c', name: value, kind: 'local', baseUrl: value },
      { isActive: true, isRunning: true, isStarting: false, dataFolder: value, now },
    ).tooltip,
    renderConnection(
      { id: 'c', name: value, kind: 'remote', baseUrl: value },
      {
        isActive: true,
        isRunning: false,
        isStarting: false,
        trouble: new ServiceError({ kind: 'unavailable' }, value, { status: 503 }),
        dataFolder: value,
        now,
      },
    ).tooltip,
  ],
  'the tooltip of an API key': (value) => [
    renderApiKey(
      {
        id: value,
        name: value,
        preview: value,
        expiration: value,
        expiresAt: null,
        createdAt: new Date(now),
        lastUsedAt: new Date(now),
        requestCount: 3,
        revokedAt: null,
      },
      now,
    ).tooltip,
  ],
  'the tooltip of a secret': (value) => [
    renderSecret({ name: value, updatedAt: new Date(now), origins: [value], isUnreadable: true }, now)
      .tooltip,
  ],
  'the tooltip of the request limit': (value) => [
    renderBudget(
      value,
      { kind: 'left', remaining: 3, limit: 60 },
      {
        remaining: 3,
        limit: 60,
        pausedUntil: null,
        purposes: { asked: 3, following: 0, portalEvents: 0, workflows: 0, executions: 0, definitions: 0 },
        otherWindows: 1,
        otherClients: 1,
      },
      0,
    ).tooltip,
  ],
  'the hover of a node in a definition': (value) => {
    const [run] = foldNodeRuns([makeNodeLog(1, { key: value, nodeId: value })]);
    const found = { title: value, words: [value, value], run };
    const values = (['json', 'log'] as const).map((language) => ({ title: value, code: value, language }));
    const target = { connectionId: value, executionId: value };
    return [
      renderNodeHover({ ...found, values }, target, { canPin: true, canAnswer: true }),
      renderNodeHover({ ...found, values, run: undefined }, target, { canPin: true, canAnswer: true }),
    ];
  },
  'the hover of a name in an expression': (value) => [
    renderExplanation({ span: { start: 0, end: 0 }, title: value, words: [value], value }),
  ],
  'what an expression gave': (value) => [
    describeValue('gave', { kind: 'value', text: JSON.stringify(value), isTruncated: true }),
    describeValue('evaluated', { kind: 'failed', message: value, isOfUnknown: false }),
  ],
  'the hover of a schema, as the language service escapes it': (value) => [
    toHoverText(
      value
        .trim()
        .replace(/[\\`*_{}[\]()<>#+\-.!]/g, '\\$&')
        .replaceAll('\n', '\\\n'),
    ),
  ],
  'the hover of a field in a comparison': (value) => [
    renderFieldHover({ pattern: value, firstLine: 0, lastLine: 0 }),
  ],
};
