// The stored records, one for each connection, and which one is active; other windows write them too.
import type { Disposable } from '../../base/disposable.ts';
import { equalJson } from '../../base/json.ts';
import { type Observable, ObservableValue } from '../../base/observable.ts';
import type { RecordPort, StatePort } from '../ports.ts';
import { ConnectionError } from '../../domain/connectionError.ts';
import type { Connection } from '../../domain/connection.ts';
import { type StoredRecord, StoredRecords } from './storedRecords.ts';

const activeEntry = 'activeConnection';

/** What a person is to be told of the stored records. */
export interface StoredTrouble {
  /** Where damaged records are kept that this window set aside. */
  readonly damaged: readonly string[];
  /** A newer version of the extension stored them: none is read, and none is changed. */
  readonly isNewerVersion: boolean;
}

export interface ConnectionRecords extends Disposable {
  readonly all: Observable<readonly Connection[]>;
  readonly active: Observable<Connection | null>;
  readonly trouble: Observable<StoredTrouble>;
  reload(): void;
  /** Stores what the change makes of the records as they are at that moment; changes run one after the other, those of other windows included. */
  change(next: (records: readonly Connection[]) => readonly Connection[]): Promise<void>;
  activate(connectionId: string): Promise<void>;
}

export interface ConnectionRecordsDeps {
  readonly records: RecordPort;
  /** Where they were stored before. */
  readonly globalState: Pick<StatePort, 'get'>;
  readonly workspaceState: StatePort;
}

/** Without a stored choice that still exists, the first record is the active one. */
export function createConnectionRecords({
  records,
  globalState,
  workspaceState,
}: ConnectionRecordsDeps): ConnectionRecords {
  const all = new ObservableValue<readonly Connection[]>([]);
  const active = new ObservableValue<Connection | null>(null);
  const trouble = new ObservableValue<StoredTrouble>({ damaged: [], isNewerVersion: false });
  const stored = new StoredRecords(records, globalState, (path) =>
    trouble.set({ ...trouble.current, damaged: [...trouble.current.damaged, path] }),
  );

  const chooseActive = (): (() => void) => {
    const choice = workspaceState.get(activeEntry);
    return active.replace(all.current.find(({ id }) => id === choice) ?? all.current[0] ?? null);
  };
  const show = (current: readonly Connection[]): void => {
    const kept = current.map(
      (record) => all.current.find((earlier) => equalJson({ ...earlier }, { ...record })) ?? record,
    );
    const isSame = kept.length === all.current.length && kept.every((item, at) => item === all.current[at]);
    // Both are true before anybody hears of either: who is told of a removal must not find it active.
    const announceAll = isSame ? undefined : all.replace(kept);
    const announceActive = chooseActive();
    announceAll?.();
    announceActive();
  };
  const read = (): readonly StoredRecord[] | 'newerVersion' => {
    const found = stored.read();
    const isNewerVersion = found === 'newerVersion';
    if (isNewerVersion !== trouble.current.isNewerVersion)
      trouble.set({ ...trouble.current, isNewerVersion });
    return found;
  };
  const reload = (): void => {
    const found = read();
    show(found === 'newerVersion' ? [] : found.map(({ connection }) => connection));
  };
  const changeNow = async (
    next: (current: readonly Connection[]) => readonly Connection[],
  ): Promise<void> => {
    const found = read();
    if (found === 'newerVersion') throw new ConnectionError({ kind: 'newerVersion' });
    const changed = next(found.map(({ connection }) => connection));
    await stored.replace(found, changed);
    show(changed);
  };
  reload();

  return Object.freeze({
    all,
    active,
    trouble,
    reload,
    async change(next: (current: readonly Connection[]) => readonly Connection[]): Promise<void> {
      try {
        await records.exclusively(() => changeNow(next));
      } catch (error) {
        throw error instanceof ConnectionError ? error : new ConnectionError({ kind: 'notStored', error });
      }
    },
    async activate(connectionId: string): Promise<void> {
      await workspaceState.set(activeEntry, connectionId);
      chooseActive()();
    },
    dispose(): void {
      all.dispose();
      active.dispose();
      trouble.dispose();
    },
  });
}
