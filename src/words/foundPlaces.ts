// Where a search found its text, in words.
import * as l10n from '@vscode/l10n';
import { joined, plainLine } from '../base/format.ts';
import type { FoundPlace } from '../domain/search.ts';
import { renderIteration } from './renderLogLine.ts';

function partWord({ place }: FoundPlace): string {
  return {
    input: l10n.t('input'),
    output: l10n.t('output'),
    error: l10n.t('error'),
    nodeRun: l10n.t('node run'),
  }[place];
}

/** "input: order.id", "charge [2]: output.total". nodeName: of the node, as it's shown elsewhere. */
export function describePlace(place: FoundPlace, nodeName: string | undefined = place.nodeId): string {
  const { iteration = [], path } = place;
  const part =
    nodeName === undefined ? partWord(place) : plainLine(nodeName, 60) + renderIteration(iteration);
  return joined([part, path === undefined ? undefined : plainLine(path, 120)], ': ');
}

/** The same, with what stands there. */
export function describeFound(place: FoundPlace): string {
  return `${describePlace(place)} · ${plainLine(place.excerpt, 200)}`;
}
