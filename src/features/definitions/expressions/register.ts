// What the expressions of a definition gave, and what they would give.
import { combine, type Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import type { App } from '../../../ui/app.ts';
import type { LastRuns } from '../lastRun/lastRuns.ts';
import { DefinitionExpressions } from './definitionExpressions.ts';
import { type EvaluatingDeps, registerEvaluating } from './evaluating.ts';
import { Evaluations } from './evaluations.ts';
import { registerHints } from './expressionHints.ts';
import { ExpressionValues } from './expressionValues.ts';

type ExpressionsDeps = Omit<EvaluatingDeps, 'expressions' | 'evaluations' | 'values' | 'onDidChange'> &
  Pick<App, 'evaluator'>;

export function registerExpressions(lastRuns: LastRuns, deps: ExpressionsDeps): Disposable {
  const expressions = new DefinitionExpressions(lastRuns, deps.workflows);
  const values = new ExpressionValues(deps.evaluator);
  const evaluations = new Evaluations();
  const changes = new Emitter<void>();
  const announce = (): void => changes.fire();
  const parts = { ...deps, expressions, values, evaluations, onDidChange: changes.event };
  return combine(
    changes,
    evaluations,
    lastRuns.onDidChange(announce),
    deps.workflows.onDidChangeItems(announce),
    evaluations.onDidChange(announce),
    registerHints(parts),
    registerEvaluating(parts),
  );
}
