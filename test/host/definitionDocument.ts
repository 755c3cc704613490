// Suites that edit definitions: the same workflow opened in the same way, beside somebody who changes it with another program.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { connect, disconnect, listWorkflows, run } from './commands.ts';
import { replaceText } from './edits.ts';
import { type OwnService, OwnServiceHandle, startOwnService, takeOwnService } from './ownService.ts';
import { until } from './until.ts';
import { serviceTarget } from '../../src/ui/addresses.ts';

const Imported = v.object({ workflowId: v.string() });

export const definition = {
  name: 'Greeting',
  description: 'Says hello',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'greet', name: 'Greet', type: 'log', config: { message: 'Hello' } },
  ],
  edges: [{ source: 'start', target: 'greet' }],
  settings: {},
};

/** The same, as its author writes it: no service gives it back like this. */
export const oneNodeALine = `{
  "name": "Greeting", "description": "Says hello",
  "nodes": [
    { "id": "start", "name": "Start", "type": "trigger", "config": {} },
    { "id": "greet", "name": "Greet", "type": "log", "config": { "message": "Hello", "ids": [9007199254740993, 1.0] } }
  ],
  "edges": [{ "source": "start", "target": "greet" }],
  "settings": {}
}
`;

/** What goes on after a reload of the window. */
export const EditingHandle = v.object({
  service: OwnServiceHandle,
  connectionId: v.string(),
  workflowId: v.string(),
});

/** A service of the suite's own with one workflow, whose definition is open. */
export class DefinitionDocument {
  #service: OwnService | undefined;
  #connectionId = '';
  #workflowId = '';
  #document: vscode.TextDocument | undefined;

  async connect(): Promise<void> {
    this.#service = await startOwnService('--requests-per-minute', '1000');
    this.#connectionId = await connect('Definitions', this.#service);
  }

  get handle(): v.InferOutput<typeof EditingHandle> {
    return {
      service: this.#running.handle,
      connectionId: this.#connectionId,
      workflowId: this.#workflowId,
    };
  }

  /** Goes on with the document as the editor has restored it. */
  async resume({ service, connectionId, workflowId }: v.InferOutput<typeof EditingHandle>): Promise<void> {
    this.#service = takeOwnService(service);
    this.#connectionId = connectionId;
    this.#workflowId = workflowId;
    this.#document = await until(
      () => vscode.workspace.textDocuments.find(({ uri }) => serviceTarget(uri)?.workflowId === workflowId),
      (document) => document !== undefined,
    );
  }

  /** The connection goes, the service stays. */
  async removeConnection(): Promise<void> {
    await disconnect(this.#connectionId);
  }

  async disconnect(): Promise<void> {
    if (this.#service === undefined) return;
    await this.removeConnection();
    await this.stopService();
  }

  async stopService(): Promise<void> {
    await this.#running.stop();
  }

  get document(): vscode.TextDocument {
    return this.#document ?? assert.fail('Nothing is open.');
  }

  get workflowId(): string {
    return this.#workflowId;
  }

  /** Makes a new workflow and opens its definition. */
  async begin(): Promise<void> {
    ({ workflowId: this.#workflowId } = await run(Imported, 'workflow.import', { definition }));
    this.#document = await this.open();
  }

  /** Closes it, and deletes the workflow if it's still there. */
  async end(): Promise<void> {
    await this.close();
    const workflowId = this.#workflowId;
    if ((await listWorkflows()).some(({ id }) => id === workflowId))
      await run(v.unknown(), 'workflow.delete', { workflowId });
  }

  /** Closes every editor, the document's without its edits. */
  async close(): Promise<void> {
    await vscode.commands.executeCommand('notifications.clearAll');
    if (!this.document.isClosed) {
      await vscode.window.showTextDocument(this.document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }

  async open(): Promise<vscode.TextDocument> {
    const uri = await run(v.string(), 'workflow.open', {
      connectionId: this.#connectionId,
      workflowId: this.#workflowId,
    });
    return vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  }

  /** What the document says. */
  get parsed(): JsonObject {
    const value = parseJson(this.document.getText());
    return isJsonObject(value) ? value : assert.fail(this.document.getText());
  }

  write(text: string): Promise<void> {
    return replaceText(this.document, text);
  }

  change(members: JsonObject): Promise<void> {
    return this.write(`${JSON.stringify({ ...this.parsed, ...members }, null, 2)}\n`);
  }

  /** A member as the service holds it. */
  async stored(name: string): Promise<JsonValue | undefined> {
    return (await this.#callService('GET'))[name];
  }

  /** Somebody else's change. */
  async changeElsewhere(members: JsonObject): Promise<void> {
    await this.#callService('PATCH', members);
  }

  /** Somebody else deletes the workflow. */
  async deleteElsewhere(): Promise<void> {
    const response = await fetch(this.#address, { method: 'DELETE', headers: this.#headers });
    assert.ok(response.ok);
  }

  async untilSaved(): Promise<void> {
    await until(
      () => this.document.isDirty,
      (isDirty) => !isDirty,
    );
  }

  /** Until a member of the document is this. */
  async untilReads(name: string, value: JsonValue | undefined): Promise<void> {
    await until(
      () => this.parsed[name],
      (now) => now === value,
    );
  }

  get #running(): OwnService {
    return this.#service ?? assert.fail('The service was not started.');
  }

  get #address(): string {
    return `${this.#running.baseUrl}/workflows/${this.#workflowId}`;
  }

  get #headers(): Record<string, string> {
    return { Authorization: `Bearer ${this.#running.key}`, 'Content-Type': 'application/json' };
  }

  async #callService(method: string, body?: JsonObject): Promise<JsonObject> {
    const response = await fetch(this.#address, {
      method,
      headers: this.#headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const value = parseJson(await response.text());
    assert.ok(response.ok && isJsonObject(value));
    return value;
  }
}

/** In each test of the suite a new workflow's definition is open. */
export function editNewDefinitions(): DefinitionDocument {
  const editing = new DefinitionDocument();
  before(() => editing.connect());
  beforeEach(() => editing.begin());
  afterEach(() => editing.end());
  after(() => editing.disconnect());
  return editing;
}
