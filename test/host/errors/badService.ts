// Errors are brought about by real services, which answer what a test tells them to, and by losing the way to them.
import type { RequestListener } from 'node:http';
import * as vscode from 'vscode';
import { commandId, type CommandName } from '../../../src/editor/commands/names.ts';
import { answering, refusing, type Running, serve, serveProxy, serveTls } from '../../support/servers.ts';
import { connect, disconnect } from '../commands.ts';

/** Nobody's key; made of parts, so that nothing takes it for one. */
export const someKey = ['svc', 'sk', 'e'.repeat(20)].join('_');
const workflowId = 'wf_1';

/** Answers with a list, whole. */
export const listing = (...rows: readonly object[]): RequestListener =>
  answering(200, { data: rows, nextCursor: null });

/** What is done in a menu on a row: that of a connection for its commands, else one that belongs to it. */
export const fromMenu = (name: CommandName, row: object): Thenable<unknown> =>
  vscode.commands.executeCommand(commandId(name), {
    ...(name.startsWith('connection.') ? { kind: 'connection' } : {}),
    ...row,
    invokedBy: 'person',
  });

/** A person is asked for what the command needs. */
export const fromPalette = (name: CommandName): Thenable<unknown> =>
  vscode.commands.executeCommand(commandId(name));

/** A setting of the user; undefined: as it was. */
const set = (name: string, value: string | boolean | undefined): Thenable<void> =>
  vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);

/** By method and path below the base URL, such as "GET /workflows"; what is not named is answered by "rest". */
export type Answers = Readonly<Record<string, RequestListener>>;

const wellBehaved: Answers = {
  'GET /executions': listing(),
  'GET /portal/events': listing(),
  rest: refusing(404, 'route_not_found', 'No such route.'),
};

/** A connection to a service with one workflow, which behaves until it is told otherwise. */
export class BadConnection {
  answers: Answers = {};
  readonly #running: Running[] = [];
  readonly #workflow: { readonly id: string; readonly name: string; readonly isDeployed: boolean };
  #connectionId = '';
  #baseUrl = '';

  private constructor(workflowName: string) {
    this.#workflow = { id: workflowId, name: workflowName, isDeployed: true };
  }

  static async direct(name: string, workflowName = 'Lead intake'): Promise<BadConnection> {
    const connection = new BadConnection(workflowName);
    const { port } = await connection.#run(serve(connection.#answer));
    await connection.#add(name, `http://127.0.0.1:${port}/v1`);
    return connection;
  }

  /** A host that only a proxy finds, behind a certificate that is accepted only while nobody checks it. */
  static async throughProxy(name: string, host: string): Promise<BadConnection> {
    const connection = new BadConnection('Lead intake');
    const { port } = await connection.#run(serveTls(connection.#answer));
    const proxy = await connection.#run(serveProxy({ target: port }));
    await set('http.proxyStrictSSL', false);
    await set('http.proxy', `http://127.0.0.1:${proxy.port}`);
    await connection.#add(name, `https://${host}/v1`);
    return connection;
  }

  get workflowName(): string {
    return this.#workflow.name;
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** The row of its workflow. */
  get row() {
    return { connectionId: this.#connectionId, workflowId };
  }

  /** From now on it answers as at first. */
  behave(): void {
    this.answers = {};
  }

  async stopService(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((each) => each.close()));
  }

  async forgetProxy(): Promise<void> {
    await set('http.proxy', undefined);
  }

  async checkCertificate(): Promise<void> {
    await set('http.proxyStrictSSL', undefined);
  }

  async refuseInProxy(): Promise<void> {
    const proxy = await this.#run(serveProxy({ target: 0, refusal: '403 Forbidden' }));
    await set('http.proxy', `http://127.0.0.1:${proxy.port}`);
  }

  /** Removes it, and leaves no setting behind. */
  async close(): Promise<void> {
    await disconnect(this.#connectionId);
    await this.forgetProxy();
    await this.checkCertificate();
    await this.stopService();
  }

  async #run<T extends Running>(starting: Promise<T>): Promise<T> {
    const running = await starting;
    this.#running.push(running);
    return running;
  }

  async #add(name: string, baseUrl: string): Promise<void> {
    this.#connectionId = await connect(name, { baseUrl, key: someKey });
    this.#baseUrl = baseUrl;
  }

  readonly #answer: RequestListener = (request, response) => {
    const path = request.url?.replace(/\?.*/, '').replace('/v1', '') ?? '';
    const all: Answers = {
      ...wellBehaved,
      'GET /workflows': listing(this.#workflow),
      ...this.answers,
    };
    const answer = all[`${request.method ?? ''} ${path}`] ?? all['rest'];
    answer?.(request, response);
  };
}
