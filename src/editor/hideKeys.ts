import { redact } from '../base/masking.ts';
import { settings } from './settings.ts';

/** Masks what looks like an API key, with the prefix of the setting too, in a text that is kept or handed on. */
export function hideKeys(text: string): string {
  return redact(text, { prefix: settings.keyPrefix() });
}
