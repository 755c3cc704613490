// A real n8n on this machine's own address, with a folder, an owner, a key and a token of its own; nothing of them is left afterwards.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { isVersion1, n8nFolder } from './install.ts';

export interface RealN8n {
  /** Of the editor. */
  readonly address: string;
  readonly key: string;
  /** undefined for a version without that server. */
  readonly mcpToken: string | undefined;
  /** Makes another key, with these rights only. */
  keyFor(rights: readonly string[]): Promise<string>;
  /** Ends it at once, as a crash of the machine does. */
  kill(): Promise<void>;
  /** Starts it again after that, and doesn't wait until it answers. */
  startAgain(): void;
  stop(): Promise<void>;
}

const longestStartMs = 120_000;
const disabledModules = [
  ...['breaking-changes', 'insights'],
  // Which version 1 doesn't know, or can't do without.
  ...(isVersion1
    ? []
    : [
        ...['agent-evals', 'agents', 'chat-hub', 'community-packages', 'dynamic-credentials'],
        ...['instance-ai', 'mcp-registry', 'quick-connect', 'workflow-builder'],
      ]),
];
const off = [
  'DIAGNOSTICS',
  'VERSION_NOTIFICATIONS',
  'TEMPLATES',
  'PERSONALIZATION',
  'HIRING_BANNER',
  'DYNAMIC_BANNERS',
];
const email = 'owner@example.com';

const Hashing = v.object({
  hashSync: v.custom<(text: string, rounds: number) => string>((value) => typeof value === 'function'),
});

/** With n8n's own library, as n8n reads it. */
function hashOf(password: string): string {
  const library: unknown = createRequire(join(n8nFolder, 'package.json'))('bcryptjs');
  return v.parse(Hashing, library).hashSync(password, 10);
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports: number[] = [];
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    ports.push(address.port);
  }
  for (const server of servers) server.close();
  return ports;
}

function environmentOf(folder: string, [port, brokerPort]: readonly number[], password: string) {
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    TMPDIR: folder,
    N8N_USER_FOLDER: folder,
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_HOST: '127.0.0.1',
    N8N_PORT: String(port),
    N8N_PROTOCOL: 'http',
    N8N_SECURE_COOKIE: 'false',
    N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    ...Object.fromEntries(off.map((name) => [`N8N_${name}_ENABLED`, 'false'])),
    N8N_DISABLED_MODULES: disabledModules.join(','),
    N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
    N8N_INSTANCE_OWNER_EMAIL: email,
    N8N_INSTANCE_OWNER_FIRST_NAME: 'Test',
    N8N_INSTANCE_OWNER_LAST_NAME: 'Owner',
    N8N_INSTANCE_OWNER_PASSWORD_HASH: hashOf(password),
  };
}

/** Version 1 gets its owner by a call. */
async function logIn(session: Session, password: string): Promise<void> {
  if (isVersion1)
    await session.call('POST', '/owner/setup', { email, firstName: 'Test', lastName: 'Owner', password });
  else await session.call('POST', '/login', { emailOrLdapLoginId: email, password });
}

async function readMcpToken(session: Session): Promise<string | undefined> {
  if (isVersion1) return undefined;
  await session.call('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
  return v.parse(McpKey, await session.call('GET', '/mcp/api-key')).data.apiKey;
}

/** The owner's session, which makes the key and the token. */
class Session {
  readonly #address: string;
  #cookie = '';

  constructor(address: string) {
    this.#address = address;
  }

  async call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#address}/rest${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', cookie: this.#cookie },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.#cookie = cookie.split(';')[0] ?? '';
    return JSON.parse(text);
  }
}

const ApiKey = v.object({ data: v.object({ rawApiKey: v.string() }) });
const McpKey = v.object({ data: v.object({ apiKey: v.string() }) });
const workflowRights = ['create', 'read', 'list', 'update', 'delete', 'activate', 'deactivate'];
const executionRights = ['read', 'list', 'retry', 'delete', ...(isVersion1 ? [] : ['stop'])];

const isOk = (address: string): Promise<boolean> =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );

async function untilReady(address: string): Promise<void> {
  const end = performance.now() + longestStartMs;
  while (performance.now() < end) {
    // The first says that it's ready before it knows its routes; the second is a page until then.
    if ((await isOk(`${address}/healthz/readiness`)) && (await isOk(`${address}/rest/settings`))) return;
    await pause(200);
  }
  throw new Error('n8n did not start in time.');
}

/** Starts it, and resolves once it answers. Its output is in `n8n.log` below the installation. */
export async function startRealN8n(): Promise<RealN8n> {
  const folder = mkdtempSync(join(tmpdir(), 'n8n-'));
  const ports = await freePorts(2);
  // With a large letter and a digit, as n8n wants.
  const password = `A1${randomBytes(12).toString('base64url')}`;
  const log = createWriteStream(join(n8nFolder, 'n8n.log'));
  const start = () => {
    const child = spawn(process.execPath, [join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n'), 'start'], {
      cwd: folder,
      env: environmentOf(folder, ports, password),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    return { child, exited: once(child, 'exit') };
  };
  let running = start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const { child, exited } = running;
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  const stop = async (): Promise<void> => {
    await end('SIGTERM');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const ended = running.exited.then(([code]: unknown[]) => {
    throw new Error(`n8n ended with ${String(code)}; see n8n.log.`);
  });
  const address = `http://127.0.0.1:${ports[0]}`;
  try {
    await Promise.race([untilReady(address), ended]);
    const session = new Session(address);
    await logIn(session, password);
    const keyFor = async (scopes: readonly string[]): Promise<string> => {
      const label = `Test of ${scopes.length} ${randomBytes(4).toString('hex')}`;
      const made = await session.call('POST', '/api-keys', { label, expiresAt: null, scopes });
      return v.parse(ApiKey, made).data.rawApiKey;
    };
    const key = await keyFor([
      ...workflowRights.map((right) => `workflow:${right}`),
      ...executionRights.map((right) => `execution:${right}`),
    ]);
    const mcpToken = await readMcpToken(session);
    ended.catch(() => undefined);
    return {
      address,
      key,
      keyFor,
      mcpToken,
      kill: () => end('SIGKILL'),
      startAgain() {
        running = start();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
