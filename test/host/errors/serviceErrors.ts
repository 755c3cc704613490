// What a service refuses or fails at is worded in test/support/refusals.ts, and met here where it stands for a way to the screen.
import { type Refusal, refusals } from '../../support/refusals.ts';
import { answering, refusing } from '../../support/servers.ts';
import { take } from '../keyboard.ts';
import { BadConnection, fromMenu } from './badService.ts';
import { arePicturesWanted, meetEach, type Meeting, type Meetings, show } from './meeting.ts';

let connection: BadConnection;

const deploy = () => fromMenu('workflow.deploy', connection.row);

/** Deploys where the service answers so; shows what none brings about by the door that every command's errors go through. */
const meetRefusal = ({ by, words, notified = words, ...rest }: Refusal): Meeting => ({
  ...rest,
  words: notified,
  meet() {
    if (typeof by !== 'function') return show(by);
    connection.answers = { rest: by };
    return deploy();
  },
});

/** On a connection through a proxy, which is lost by a setting of the editor. */
const lost = (refusal: Refusal, lose: (connection: BadConnection) => PromiseLike<void>): Meeting => ({
  ...meetRefusal(refusal),
  async meet() {
    await connection.close();
    connection = await BadConnection.throughProxy('Billing', 'workflows.invalid');
    await lose(connection);
    await deploy();
  },
});

const brought: Readonly<Record<string, Meetings>> = {
  service: {
    notDeployed: {
      ...meetRefusal(refusals.service.notDeployed),
      async meet() {
        const ended = { id: 'exec_1', workflowId: 'wf_1', status: 'completed', input: {} };
        const workflow = { id: 'wf_1', name: 'Lead intake', isDeployed: true };
        connection.answers = {
          'GET /executions/exec_1': answering(200, ended),
          'POST /workflows/wf_1/deploy': answering(200, workflow),
          rest: refusing(409, 'workflow_not_deployed', 'The workflow is not deployed.'),
        };
        const { connectionId } = connection.row;
        void fromMenu('execution.rerun', { connectionId, executionId: 'exec_1' });
        await take('Deploy and Execute');
      },
    },
  },
  unreachable: {
    tls: lost(refusals.unreachable.tls, (it) => it.checkCertificate()),
    proxy: lost(refusals.unreachable.proxy, (it) => it.refuseInProxy()),
  },
};

function meetingsOf(title: string, rows: Readonly<Record<string, Refusal>>): Meetings {
  const shown = Object.entries(rows).filter(([, row]) => arePicturesWanted || row.isAlwaysMet === true);
  return {
    ...Object.fromEntries(shown.map(([name, row]) => [name, meetRefusal(row)])),
    ...brought[title],
  };
}

/** Its tests, and what is met in them. */
export function meetServiceErrors(): readonly Meeting[] {
  const met: Meeting[] = [];
  describe('of a service', () => {
    beforeEach(async () => {
      connection = await BadConnection.direct('Billing');
    });
    afterEach(() => connection.close());
    for (const [title, rows] of Object.entries(refusals))
      met.push(...meetEach(title, meetingsOf(title, rows)));
  });
  return met;
}
