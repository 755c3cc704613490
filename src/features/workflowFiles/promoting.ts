import type { Disposable } from '../../base/disposable.ts';
import { toDisposable } from '../../base/disposable.ts';
import type { FilesDeps } from './filesDeps.ts';
export function registerPromote(_deps: FilesDeps): Disposable {
  return toDisposable(() => undefined);
}
