// One command from a fresh clone to a VS Code with the extension in it, on the local service with its samples.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyExtension } from './copyExtension.ts';
import { systemClock, wait } from '../../src/base/time.ts';
import { findDesktop } from './desktop.ts';
import { startFront } from './web/front.ts';
import { installWeb } from './web/install.ts';
import { downloads, root } from './paths.ts';
import { isAlive, startProcess } from './processes.ts';
import { writeSettings } from './profile.ts';
import { say } from './say.ts';
import { startServer } from './web/server.ts';
import { readInstance } from '../../src/protocol/localService/instance.ts';

const serviceMilliseconds = 15_000;

/** A VS Code that runs until it is closed or stopped. */
interface Running {
  readonly closed: Promise<unknown>;
  readonly stop: () => Promise<void>;
}

const { values } = parseArgs({
  options: {
    /** The VS Code in the browser even where a desktop one can be had. */
    browser: { type: 'boolean', default: false },
    /** Where settings, state and the local service's data are kept between starts. */
    data: { type: 'string', default: join(downloads, `start-${String(process.getuid?.() ?? 'user')}`) },
  },
});

function build(): void {
  const { status } = spawnSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed.');
}

function startDesktop(executable: string, userData: string, workspace: string): Running {
  const args = [
    workspace,
    `--extensionDevelopmentPath=${root}`,
    `--user-data-dir=${userData}`,
    `--extensions-dir=${join(values.data, 'extensions')}`,
    ...['--new-window', '--skip-welcome', '--skip-release-notes', '--disable-workspace-trust'],
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  const started = startProcess(executable, args, { env: process.env });
  say('VS Code is open. Close its window or press Ctrl+C here to end.');
  return { closed: started.exited, stop: started.stop };
}

/** Puts what is built among the installed extensions, as installing its package would; the list of them is made anew. */
function placeExtension(extensions: string): void {
  const target = join(extensions, 'workflow-automation.workflow-automation');
  rmSync(join(extensions, 'extensions.json'), { force: true });
  copyExtension(target);
}

async function startInBrowser(userData: string, workspace: string): Promise<Running> {
  const { server } = await installWeb();
  const folder = join(values.data, 'server');
  placeExtension(join(folder, 'extensions'));
  const vsCode = await startServer({ server, folder, userData, workspace, environment: process.env });
  const front = await startFront(vsCode, values.data);
  say(`\nVS Code is ready. Open this address in a browser:\n\n  ${front.address}\n\nPress Ctrl+C to end.`);
  return {
    closed: vsCode.exited.then((code) => {
      throw new Error(`The VS Code server ended with ${String(code)}.`);
    }),
    async stop() {
      front.stop();
      await vsCode.stop();
    },
  };
}

async function start(): Promise<Running> {
  build();
  const workspace = join(values.data, 'workspace');
  mkdirSync(workspace, { recursive: true });
  const userData = join(values.data, 'user');
  writeSettings(userData, { 'workflowAutomation.localService.startOnOpen': true });
  const desktop = values.browser ? { reason: 'it was asked for' } : await findDesktop();
  if ('executable' in desktop) return startDesktop(desktop.executable, userData, workspace);
  say(`Starting the VS Code for the browser: ${desktop.reason}.`);
  return startInBrowser(userData, workspace);
}

/** What stays on the disk, and how to be rid of it. */
function sayWhatIsKept(): void {
  say(
    `Workflows, executions, connections and settings are kept for the next start, in\n  ${values.data}\n` +
      'To start over, delete this folder, or run "Reset the Local Service…" in VS Code, which deletes the data of that service only.',
  );
}

/** The local service outlives its last window a little, for one that only reloads; nothing of it is left running. */
async function localServiceEnded(): Promise<void> {
  const state = join(values.data, 'user', 'User', 'globalStorage');
  const folder = join(state, 'workflow-automation.workflow-automation', 'local-service');
  const instance = await readInstance(folder);
  if (instance === undefined) return;
  const limit = AbortSignal.timeout(serviceMilliseconds);
  while (isAlive(instance.pid)) {
    if (limit.aborted) {
      say('The local service goes on: another window holds it.');
      return;
    }
    await wait(systemClock, 50);
  }
}

const interrupted = Promise.withResolvers<undefined>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.resolve(undefined));
}

// The shell that npm starts takes a SIGTERM for itself and dies of it without passing it on.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) interrupted.resolve(undefined);
}, 500).unref();

/** Resolves with the exit code. */
async function run(): Promise<number> {
  const running = await Promise.race([start(), interrupted.promise]);
  // Interrupted while it still builds or installs: leaving takes whatever runs for that with it.
  if (running === undefined) return 130;
  try {
    await Promise.race([running.closed, interrupted.promise]);
    say('\nEnding …');
  } finally {
    await running.stop();
    await localServiceEnded();
    sayWhatIsKept();
  }
  return 0;
}

try {
  process.exit(await run());
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
