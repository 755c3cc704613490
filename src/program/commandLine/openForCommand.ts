import { type OpenService, openService } from '../openService.ts';
import type { Surroundings } from './command.ts';
import type { GivenArguments } from './given.ts';
import { type NamedService, readNamedService, readSecrets } from './readService.ts';
import type { Terminal } from './terminal.ts';

/** Opens the service of a command, by default that of its options, which waits for the request limit as long as it takes, and says so once. */
export function openForCommand(
  given: GivenArguments,
  terminal: Terminal,
  { environment, serviceOptions }: Surroundings,
  named?: NamedService,
): OpenService {
  const wanted = named ?? readNamedService(given, environment);
  const service = openService(wanted.address, readSecrets(wanted, given, environment), serviceOptions);
  const { clock, requestWaits } = service;
  requestWaits.attend();
  requestWaits.until.onDidChange((until) => {
    if (until !== null) terminal.logLimit(until, clock.now());
  });
  return service;
}
