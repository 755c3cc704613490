// Two suites edit definitions: the same workflow opened in the same way, beside somebody who changes it with another program.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { connect, disconnect, run } from './commands.ts';
import { type OwnService, OwnServiceHandle, startOwnService, takeOwnService } from './ownService.ts';
import { until } from './until.ts';
import { definitionTarget } from '../../src/ui/addresses.ts';

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

/** What goes on after a reload of the window. */
export const EditingHandle = v.object({
  service: OwnServiceHandle,
  connectionId: v.string(),
  workflowId: v.string(),
});

/** A service of the suite's own with one workflow, whose definition is open. */
export class DefinitionDocument {
  readonly #service: OwnService;
  readonly #connectionId: string;
  #workflowId = '';
  #document: vscode.TextDocument | undefined;

  private constructor(service: OwnService, connectionId: string) {
    this.#service = service;
    this.#connectionId = connectionId;
  }

  static async connect(): Promise<DefinitionDocument> {
    const service = await startOwnService('--requests-per-minute', '1000');
    return new DefinitionDocument(service, await connect('Definitions', service));
  }

  get handle(): v.InferOutput<typeof EditingHandle> {
    return {
      service: this.#service.handle,
      connectionId: this.#connectionId,
      workflowId: this.#workflowId,
    };
  }

  /** Goes on with the document as the editor has restored it. */
  static async resume(handle: v.InferOutput<typeof EditingHandle>): Promise<DefinitionDocument> {
    const { service, connectionId, workflowId } = handle;
    const editing = new DefinitionDocument(takeOwnService(service), connectionId);
    editing.#workflowId = workflowId;
    editing.#document = await until(
      () =>
        vscode.workspace.textDocuments.find(({ uri }) => definitionTarget(uri)?.workflowId === workflowId),
      (document) => document !== undefined,
    );
    return editing;
  }

  /** The connection goes, the service stays. */
  async removeConnection(): Promise<void> {
    await disconnect(this.#connectionId);
  }

  async disconnect(): Promise<void> {
    await this.removeConnection();
    await this.stopService();
  }

  async stopService(): Promise<void> {
    await this.#service.stop();
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

  async end(): Promise<void> {
    await this.close();
    await vscode.commands.executeCommand('workflowAutomation.workflow.delete', {
      workflowId: this.#workflowId,
    });
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
    const uri = await run(v.string(), 'workflow.open', { workflowId: this.#workflowId });
    return vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  }

  /** What the document says. */
  get parsed(): JsonObject {
    const value = parseJson(this.document.getText());
    return isJsonObject(value) ? value : assert.fail(this.document.getText());
  }

  async write(text: string): Promise<void> {
    const { uri, lineCount } = this.document;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, lineCount, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
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

  get #address(): string {
    return `${this.#service.baseUrl}/workflows/${this.#workflowId}`;
  }

  get #headers(): Record<string, string> {
    return { Authorization: `Bearer ${this.#service.key}`, 'Content-Type': 'application/json' };
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

export async function replaceOnce(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const start = document.getText().indexOf(from);
  assert.ok(start >= 0, `${from} is not in ${document.getText()}`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + from.length));
  edit.replace(document.uri, range, to);
  assert.ok(await vscode.workspace.applyEdit(edit));
}
