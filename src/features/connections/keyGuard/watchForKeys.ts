// The part of the key guard that runs before the app is loaded.
import type { Disposable } from '../../../base/disposable.ts';
import { settings } from '../../../editor/settings.ts';
import { findKeys } from '../../../base/secrets.ts';
import { systemClock } from '../../../base/time.ts';
import { guardedText, readOpenTexts } from './openTexts.ts';

/** Loads the app, which marks the keys, once an open document contains a key. Dispose of it after the app is loaded. */
export function watchForKeys(load: () => Promise<unknown>): Disposable {
  return readOpenTexts(systemClock, {
    look: (documents) => {
      const prefix = settings.keyPrefix();
      if (documents.some((document) => findKeys(guardedText(document), prefix).length > 0)) void load();
    },
    forget: () => undefined,
  });
}
