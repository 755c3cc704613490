// A key may be pasted before anything of ours was ever used; this is all of the guard that runs until then.
import type { Disposable } from '../../../base/disposable.ts';
import { settings } from '../../../editor/settings.ts';
import { findKeys } from '../../../base/findKeys.ts';
import { systemClock } from '../../../base/time.ts';
import { guardedText, readOpenTexts } from './openTexts.ts';

/** Loads the app, which then marks them, when keys stand in an open text. To be ended once the app is there. */
export function watchForKeys(load: () => Promise<unknown>): Disposable {
  return readOpenTexts(systemClock, {
    look: (documents) => {
      const prefix = settings.keyPrefix();
      if (documents.some((document) => findKeys(guardedText(document), prefix).length > 0)) void load();
    },
    forget: () => undefined,
  });
}
