// Secrets of the local service: their commands, and what definitions say of them.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { type MoveTokenDeps, registerMoveToken } from './moveToken.ts';
import { registerSecretCommands, type SecretCommandsDeps } from './secretCommands.ts';
import { registerSecretProblems, type SecretProblemsDeps } from './secretProblems.ts';

export function registerSecrets(deps: SecretCommandsDeps & SecretProblemsDeps & MoveTokenDeps): Disposable {
  void deps.secrets.reload();
  return combine(
    // Another window may have changed them.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) void deps.secrets.reload();
    }),
    registerSecretCommands(deps),
    registerSecretProblems(deps),
    registerMoveToken(deps),
  );
}
