import { combine, type Disposable } from '../../base/disposable.ts';
import type { Connections } from './connections.ts';

/** Calls `onSwitch` when another connection or another address is active, and `onKey` for another key, which may belong to another account. */
export function watchAccount(
  { active, onDidChangeKey }: Pick<Connections, 'active' | 'onDidChangeKey'>,
  onSwitch: () => void,
  onKey: () => void,
): Disposable {
  let shown = active.current;
  return combine(
    active.onDidChange((connection) => {
      const isSame = connection?.id === shown?.id && connection?.baseUrl === shown?.baseUrl;
      shown = connection;
      if (!isSame) onSwitch();
    }),
    onDidChangeKey((connectionId) => {
      if (connectionId === active.current?.id) onKey();
    }),
  );
}
