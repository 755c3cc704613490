// Why: the stored records and which one is active, kept equal to the state ports that other windows write too.
import type { Disposable } from '../../base/disposable.ts';
import { equalJson } from '../../base/json.ts';
import type { Observable } from '../../base/observable.ts';
import { ObservableValue } from '../../base/observable.ts';
import type { StatePort } from '../ports.ts';
import { decodeConnectionRecords } from './connectionRecord.ts';
import type { ConnectionRecord } from './connectionRecord.ts';

const recordsEntry = 'connections';
const activeEntry = 'activeConnection';

export interface ConnectionRecords extends Disposable {
  readonly all: Observable<readonly ConnectionRecord[]>;
  readonly active: Observable<ConnectionRecord | null>;
  reload(): void;
  /** Stores what the change makes of the records as they are at that moment; changes run one after the other. */
  change(next: (records: readonly ConnectionRecord[]) => readonly ConnectionRecord[]): Promise<void>;
  activate(connectionId: string): Promise<void>;
}

/** Without a stored choice that still exists, the first record is the active one. */
export function createConnectionRecords(
  globalState: StatePort,
  workspaceState: StatePort,
): ConnectionRecords {
  const all = new ObservableValue<readonly ConnectionRecord[]>([]);
  const active = new ObservableValue<ConnectionRecord | null>(null);
  let lastChange: Promise<void> = Promise.resolve();

  const chooseActive = (): (() => void) => {
    const stored = workspaceState.get(activeEntry);
    return active.replace(all.current.find(({ id }) => id === stored) ?? all.current[0] ?? null);
  };
  const show = (records: readonly ConnectionRecord[]): void => {
    const kept = records.map(
      (record) => all.current.find((earlier) => equalJson({ ...earlier }, { ...record })) ?? record,
    );
    const isSame = kept.length === all.current.length && kept.every((item, at) => item === all.current[at]);
    // Both are true before anybody hears of either: who is told of a removal must not find it active.
    const announceAll = isSame ? undefined : all.replace(kept);
    const announceActive = chooseActive();
    announceAll?.();
    announceActive();
  };
  const reload = (): void => {
    show(decodeConnectionRecords(globalState.get(recordsEntry)));
  };
  reload();

  return Object.freeze({
    all,
    active,
    reload,
    change(next: (records: readonly ConnectionRecord[]) => readonly ConnectionRecord[]): Promise<void> {
      const turn = lastChange.then(async () => {
        const records = next(decodeConnectionRecords(globalState.get(recordsEntry)));
        await globalState.set(
          recordsEntry,
          records.map((record) => ({ ...record })),
        );
        show(records);
      });
      // The next change runs whether or not this one could be stored; its own caller hears of the failure.
      lastChange = turn.catch(() => undefined);
      return turn;
    },
    async activate(connectionId: string): Promise<void> {
      await workspaceState.set(activeEntry, connectionId);
      chooseActive()();
    },
    dispose(): void {
      all.dispose();
      active.dispose();
    },
  });
}
