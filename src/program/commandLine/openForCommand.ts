import { type OpenService, openService } from '../openService.ts';
import type { Surroundings } from './command.ts';
import type { GivenArguments } from './given.ts';
import { readService } from './readService.ts';
import type { Terminal } from './terminal.ts';

/** Opens the service of a command, which waits for the request limit as long as it takes, and says so once. */
export function openForCommand(
  given: GivenArguments,
  terminal: Terminal,
  { environment, serviceOptions }: Surroundings,
): OpenService {
  const { address, secrets } = readService(given, environment);
  const service = openService(address, secrets, serviceOptions);
  const { clock, requestWaits } = service;
  requestWaits.attend();
  requestWaits.until.onDidChange((until) => {
    if (until !== null) terminal.logLimit(until, clock.now());
  });
  return service;
}
