import { describeServiceCommands } from '../../program/process/serviceCommands.ts';
import { Team } from './team.ts';

describeServiceCommands('a service on PostgreSQL', async () => {
  const team = await Team.start(1, 1);
  return { baseUrl: team.program(0).baseUrl, key: team.key, close: () => team.dispose() };
});
