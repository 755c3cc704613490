import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { App } from '../../../ui/app.ts';
import { serviceTarget } from '../../../ui/addresses.ts';
import type { RememberedBases } from './rememberedBases.ts';
import type { SavedTexts } from './savedTexts.ts';

interface ForgetDeps extends Pick<App, 'logger'> {
  readonly actions: Pick<App['actions'], 'onDidDelete'>;
  readonly connections: Pick<App['connections'], 'onDidRemove'>;
  readonly pins: Pick<App['pins'], 'forget'>;
}

/** Forgets what is stored of definitions when their workflows are deleted or their connections are removed. */
export function forgetDeleted(
  { actions, connections, logger, pins }: ForgetDeps,
  texts: SavedTexts,
  bases: RememberedBases,
): Disposable {
  const forget = (of: Parameters<SavedTexts['forget']>[0]): void => {
    const isGone = (address: string): boolean => {
      const target = serviceTarget(vscode.Uri.parse(address));
      if (target?.connectionId !== of.connectionId) return false;
      return of.workflowId === undefined || target.workflowId === of.workflowId;
    };
    Promise.all([texts.forget(of), bases.forgetAll(isGone), pins.forget(of)]).catch((error: unknown) =>
      logger.error('The texts and pins of what was deleted could not be forgotten.', error),
    );
  };
  return combine(
    actions.onDidDelete(forget),
    connections.onDidRemove((connectionId) => forget({ connectionId })),
  );
}
