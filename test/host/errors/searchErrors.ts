// What a search of executions refuses is refused once.
import { type BadConnection, fromMenu, fromPalette } from './badService.ts';
import type { Meetings } from './meeting.ts';

const query = 'nobody';

/** The connection is another one in each test. */
export function searchErrors(connection: () => BadConnection): Meetings {
  return {
    noSearch: {
      meet: () => fromPalette('executions.saveSearch'),
      words: 'No search is shown.',
    },
    nothingFound: {
      meet: async () => {
        await fromMenu('execution.search', { query });
        await fromPalette('executions.actOnFound');
        await fromPalette('executions.clearSearch');
      },
      words: 'The search has found no executions.',
    },
    notCounted: {
      meet: () => fromMenu('savedSearch.showBadge', { connectionId: connection().row.connectionId, query }),
      words:
        "This service can't search, so only searches by status, workflow, time, duration and kind can be counted.",
    },
  };
}
