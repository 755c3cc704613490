// What can be wrong with a connection to an n8n, with what is typed for one, and with what it is asked for.
import { choose, typeOver, write } from '../keyboard.ts';
import { type Answers, type BadConnection, fromPalette, listing } from './badService.ts';
import { answering } from '../../support/servers.ts';
import { quickPick } from './meeting.ts';

const address = 'Address at which the editor opens';
const nobodysKey = 'n8n-key-of-nobody';

/** Begins the flow of connecting, and says what kind of service it's for. */
export async function addTo(kind: 'Workflow Service' | 'n8n'): Promise<void> {
  void fromPalette('connection.add');
  await choose('What do you connect to?', kind);
}

/** Types the address and the key, and goes on. */
async function opening(baseUrl: string): Promise<void> {
  await addTo('n8n');
  await write(address, baseUrl);
  await write('API key', nobodysKey);
}

/** Types all that is asked for a connection to the service that is there, which then answers so. */
const connecting = (connection: () => BadConnection, answers: Answers, token: string) => ({
  place: quickPick,
  meet: async () => {
    connection().answers = answers;
    await opening(new URL(connection().baseUrl).origin);
    await write('MCP token', token);
  },
});

export const connectionReasons = (connection: () => BadConnection) => ({
  secretUnreadable: {
    place: quickPick,
    meet: async () => {
      await addTo('n8n');
      await write(address, 'https://n8n.example.com');
      await typeOver('API key', 'two words');
    },
    words: 'Enter the API key. It contains no spaces.',
  },
  mcpTokenRejected: {
    ...connecting(
      connection,
      { 'GET /api/workflows': listing(), rest: answering(401, { message: 'Unauthorized' }) },
      'token-of-nobody',
    ),
    words: 'The service rejected the MCP token. The service says: Unauthorized',
  },
  mcpMissing: {
    ...connecting(
      connection,
      {
        'GET /api/workflows': listing(),
        rest: (_request, response) =>
          response
            .writeHead(404, { 'content-type': 'text/html' })
            .end('<html><pre>Cannot POST /mcp-server/http</pre></html>'),
      },
      'token-of-nobody',
    ),
    words: 'This service has no MCP server. Leave the token empty.',
  },
});

export const connectionVariants = (connection: () => BadConnection) => ({
  addressUnreadable: {
    place: quickPick,
    meet: async () => {
      await addTo('n8n');
      await typeOver(address, 'workflows');
    },
    words: 'Enter a URL such as https://n8n.example.com.',
  },
  mcpTokenUnreadable: {
    place: quickPick,
    meet: async () => {
      await opening('https://n8n.example.com');
      await typeOver('MCP token', 'two words');
    },
    words: 'Enter the MCP token. It contains no spaces.',
  },
  notAnN8n: {
    ...connecting(
      connection,
      {
        rest: (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      },
      '',
    ),
    words: "This isn't the address of an n8n. Enter the address at which its editor opens,",
  },
});
