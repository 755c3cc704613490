// The addresses of a comparison and of its two sides, each of which is a document with the whole values.
import * as vscode from 'vscode';
import { executionUri } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { connectionName } from '../../../words/names.ts';
import { isLarge } from '../documents/renderJson.ts';
import { titleOf } from '../../../ui/executionUris.ts';
import { renderCompared } from './compared.ts';
import type { ComparedPair, ComparedTargets } from './comparedDocuments.ts';

type SidesDeps = Pick<App, 'connections' | 'executions' | 'workflows'>;

/** "Order totals 77ab03 ↔ 9f2c41". */
export function comparisonTitle(deps: SidesDeps, { left, right }: ComparedTargets): string {
  const [one, other] = [titleOf(deps, left), titleOf(deps, right)];
  const second = one.name === other.name ? other.id : `${other.name} ${other.id}`;
  return `${one.name} ${one.id} ↔ ${second}`;
}

export function comparisonUri(deps: SidesDeps, targets: ComparedTargets): vscode.Uri {
  const { left, right } = targets;
  return executionUri(
    {
      target: right,
      part: 'differences',
      nodeRunKey: '',
      isCompact: false,
      otherExecutionId: left.executionId,
    },
    {
      connectionName: connectionName(deps.connections, right.connectionId),
      title: comparisonTitle(deps, targets),
    },
  );
}

/** Both sides in one layout, compact if either is large, so that only real differences show. */
export function sideUris(
  deps: SidesDeps,
  { left, right }: ComparedTargets,
  pair: ComparedPair,
): readonly [left: vscode.Uri, right: vscode.Uri] {
  const isCompact = [pair.left, pair.right].some((facts) => isLarge(renderCompared(facts)));
  const uriOf = (target: ComparedTargets['left']): vscode.Uri => {
    const { name, id } = titleOf(deps, target);
    return executionUri(
      { target, part: 'comparison', nodeRunKey: '', isCompact },
      {
        connectionName: connectionName(deps.connections, target.connectionId),
        title: `${name} ${id} ${vscode.l10n.t('comparison')}`,
      },
    );
  };
  return [uriOf(left), uriOf(right)];
}
