// An n8n that a test has to itself: the recorded one, beside the editor.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { recordedKey, RecordedN8n } from '../support/n8n/recordedN8n.ts';
import { disconnect, run } from './commands.ts';

const Connected = v.object({ connectionId: v.string() });

export interface OwnN8n {
  readonly n8n: RecordedN8n;
  /** Where its editor opens. */
  readonly address: string;
  /** Returns the id of the connection. */
  connect(mcpToken?: string): Promise<string>;
  /** Closes what is open of it, removes the connections, and ends it. */
  stop(): Promise<void>;
}

/** `now`: its time. */
export async function startOwnN8n(now: () => number = Date.now): Promise<OwnN8n> {
  const { n8n, running } = await RecordedN8n.serve(now);
  const address = `http://127.0.0.1:${running.port}`;
  const connectionIds: string[] = [];
  return {
    n8n,
    address,
    async connect(mcpToken) {
      const given = { kind: 'n8n', name: 'Mine', baseUrl: address, apiKey: recordedKey };
      const { connectionId } = await run(Connected, 'connection.add', {
        ...given,
        ...(mcpToken === undefined ? {} : { mcpToken }),
      });
      connectionIds.push(connectionId);
      return connectionId;
    },
    async stop() {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      for (const connectionId of connectionIds) await disconnect(connectionId);
      await running.close();
    },
  };
}
