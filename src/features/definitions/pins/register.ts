// Pins: the values that nodes give in drafts instead of running.
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { App } from '../../../ui/app.ts';
import type { DrawnExecutions } from '../shownExecution/drawnExecutions.ts';
import { type AnswerRequestDeps, registerAnswerRequest } from './answerRequest.ts';
import { followRenames } from './followRenames.ts';
import { registerPinCommands, type PinCommandsDeps } from './pinCommands.ts';
import { PinFiles } from './pinFiles.ts';

type PinsDeps = PinCommandsDeps & AnswerRequestDeps & Pick<App, 'definitionTargets' | 'definitionTexts'>;

export function registerPins(drawnExecutions: DrawnExecutions, deps: PinsDeps): Disposable {
  const files = new PinFiles(deps);
  return combine(
    files,
    deps.pinFiles.attach(files),
    registerPinCommands(drawnExecutions, files, deps),
    registerAnswerRequest(drawnExecutions, files, deps),
    forgetPins(deps),
    followRenames(files, deps),
  );
}

/** Removes the pins of deleted workflows and of removed connections. */
function forgetPins({ actions, connections, logger, pins }: PinCommandsDeps): Disposable {
  const forget = (of: Parameters<typeof pins.forget>[0]): void => {
    pins
      .forget(of)
      .catch((error: unknown) => logger.error('The pins of what was deleted could not be forgotten.', error));
  };
  return combine(
    actions.onDidDelete(forget),
    connections.onDidRemove((connectionId) => forget({ connectionId })),
  );
}
