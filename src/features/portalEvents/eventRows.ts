import * as vscode from 'vscode';
import { writeTruncatedJson } from '../../base/boundedJson.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import { offerCommand } from '../../editor/commands.ts';
import { truncateJson, escapeUnseen, joined, plainLine } from '../../base/format.ts';
import { codeBlock, tooltip } from '../../editor/markdown.ts';
import type { RowElement } from '../../editor/tree/treeElements.ts';
import { formats } from '../../words/formats.ts';
import { shortId } from '../../words/names.ts';
import { renderIteration } from '../../words/renderLogLine.ts';
import { formatAge } from '../../words/time.ts';

export interface EventElement extends RowElement {
  readonly kind: 'event';
  readonly connectionId: string;
  /** The event's key. */
  readonly eventId: string;
  readonly event: PortalEvent;
}

export function eventElement(connectionId: string, event: PortalEvent): EventElement {
  const key = `${connectionId}/${event.key}`;
  return { invokedBy: 'person', kind: 'event', key, connectionId, eventId: event.key, event };
}

interface Look {
  readonly icon: string;
  readonly color?: string;
}

/** The first pattern that matches the type wins. */
const looks: readonly (readonly [RegExp, Look])[] = [
  [/^(execution|node)\.completed$/, { icon: 'pass', color: 'testing.iconPassed' }],
  [/^(execution|node)\.failed$/, { icon: 'error', color: 'testing.iconFailed' }],
  [/^execution\.cancelled$/, { icon: 'circle-slash', color: 'testing.iconSkipped' }],
  [/^execution\.triggered$/, { icon: 'zap' }],
  [/^execution\.waiting$/, { icon: 'clock', color: 'testing.iconQueued' }],
  [/^(execution|node)\.started$/, { icon: 'play' }],
  [/^node\.skipped$/, { icon: 'debug-step-over', color: 'testing.iconSkipped' }],
  [/^workflow\.created$/, { icon: 'add' }],
  [/^workflow\.updated$/, { icon: 'edit' }],
  [/^workflow\.deleted$/, { icon: 'trash' }],
  [/^workflow\.deployed$/, { icon: 'rocket' }],
  [/^workflow\.undeployed$/, { icon: 'circle-slash' }],
  [/^portal\./, { icon: 'broadcast' }],
];
const otherLook: Look = { icon: 'bell' };

export function eventIcon(type: string): vscode.ThemeIcon {
  const [, { icon, color }] = looks.find(([words]) => words.test(type)) ?? [undefined, otherLook];
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

const summaryLines = 12;
/** In characters; enough for these lines unless one of them is very long. */
const maximumSummary = 10_000;

/** The first lines of the payload, sanitized for display. */
function summary({ data }: PortalEvent): string {
  const { text, isTruncated } = writeTruncatedJson(data, maximumSummary, '  ');
  const lines = text.split('\n');
  const shown = lines.slice(0, summaryLines).map((line) => truncateJson(escapeUnseen(line), 100));
  return [...shown, ...(isTruncated || lines.length > summaryLines ? ['…'] : [])].join('\n');
}

/** The node's name with its iterations of loops, sanitized for display; empty if the event isn't about a node. */
function nodeOf({ nodeName, iteration }: PortalEvent): string {
  return nodeName === null ? '' : plainLine(nodeName, 80) + renderIteration(iteration);
}

/** workflow: its name, sanitized for display; empty if the event has no workflow. now: epoch milliseconds. */
export function renderEvent(element: EventElement, workflow: string, now: number): vscode.TreeItem {
  const { event } = element;
  const type = plainLine(event.type, 80);
  const item = new vscode.TreeItem(type);
  const age = event.timestamp === null ? '' : formatAge(event.timestamp, now);
  const subjects = [nodeOf(event), workflow, shortId(event.executionId ?? '')];
  // What is last is cut in a narrow view.
  item.description = joined([age, ...subjects], ' · ');
  item.iconPath = eventIcon(event.type);
  item.contextValue = joined(['portalEvent', event.executionId === null ? '' : 'ofExecution'], ',');
  // Events that arrive together would otherwise have the same label.
  item.accessibilityInformation = { label: joined([type, ...subjects, age, shortId(event.key)], ', ') };
  item.command = offerCommand('portalEvent.open', element, { title: vscode.l10n.t('Open Payload') });
  item.tooltip = tooltip(event.type, [
    nodeOf(event),
    workflow,
    event.timestamp === null ? undefined : formats.time(event.timestamp),
    codeBlock(summary(event), 'json'),
  ]);
  return item;
}
