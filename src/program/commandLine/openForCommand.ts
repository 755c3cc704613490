import * as l10n from '@vscode/l10n';
import { formats } from '../../words/formats.ts';
import { secondsUntil } from '../../words/time.ts';
import { type OpenService, openService } from '../openService.ts';
import type { GivenArguments } from './given.ts';
import { readService } from './readService.ts';
import type { Terminal } from './terminal.ts';

/** Opens the service of a command, which waits for the request limit as long as it takes, and says so once. */
export function openForCommand(given: GivenArguments, terminal: Terminal): OpenService {
  const { address, secrets } = readService(given, process.env);
  const service = openService(address, secrets);
  const { clock, requestWaits } = service;
  requestWaits.attend();
  let hasSaid = false;
  requestWaits.until.onDidChange((until) => {
    if (until === null || hasSaid) return;
    hasSaid = true;
    const seconds = secondsUntil(until, clock.now());
    terminal.log(l10n.t('waits {0} s for the request limit', formats.number(seconds)));
  });
  return service;
}
