// Pins: the values that nodes give in drafts instead of running.
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { App } from '../../../ui/app.ts';
import type { DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import { type AnswerRequestDeps, registerAnswerRequest } from './answerRequest.ts';
import { followRenames } from './followRenames.ts';
import { registerPinCommands, type PinCommandsDeps } from './pinCommands.ts';
import { PinFiles } from './pinFiles.ts';

type PinsDeps = PinCommandsDeps &
  AnswerRequestDeps &
  Pick<App, 'definitionTargets' | 'definitionTexts' | 'logger'>;

export function registerPins(drawnExecutions: DrawnExecutions, deps: PinsDeps): Disposable {
  const files = new PinFiles(deps);
  return combine(
    files,
    deps.pinFiles.attach(files),
    registerPinCommands(drawnExecutions, files, deps),
    registerAnswerRequest(drawnExecutions, files, deps),
    followRenames(files, deps),
  );
}
