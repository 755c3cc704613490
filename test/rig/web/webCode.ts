#!/usr/bin/env node
// A VS Code executable made of the server and a browser: it understands VS Code's own test flags, so runTests serves it and the desktop one alike.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openTests, startBrowser } from './browser.ts';
import { linkBuiltins } from './builtins.ts';
import { installWeb } from './install.ts';
import { bridgeVariable, startPageBridge } from '../pageBridge.ts';
import { say } from '../say.ts';
import { startServer, type TestContent, testsAddress } from './server.ts';

/** Nothing that runs inside takes this long; a workbench that never ends is a failure, with a picture of it. */
const limitMilliseconds = 20 * 60_000;

interface Launch extends TestContent {
  readonly userData: string;
  readonly extensions: string;
  readonly hasWorkspaceTrust: boolean;
}

/** Reads VS Code's flags; those that make no sense here are passed over. */
function readLaunch(args: readonly string[]): Launch {
  const { values, positionals } = parseArgs({ args: [...args], strict: false, allowPositionals: true });
  const path = (name: string): string => {
    const value = values[name];
    if (typeof value === 'string') return value;
    throw new Error(`--${name}=… is needed.`);
  };
  const [workspace = path('folder-uri')] = positionals;
  return {
    workspace,
    developmentPath: path('extensionDevelopmentPath'),
    testsPath: path('extensionTestsPath'),
    userData: path('user-data-dir'),
    extensions: path('extensions-dir'),
    // The runner always says --disable-workspace-trust; this word of our own stands above it.
    hasWorkspaceTrust: values['enable-workspace-trust'] === true,
  };
}

/** Runs the tests in a fresh server and browser; resolves with their exit code. */
async function runInBrowser(launch: Launch, interrupted: Promise<number>): Promise<number> {
  const installation = await installWeb();
  const folder = join(launch.userData, 'server');
  const page = Promise.withResolvers<Awaited<ReturnType<typeof openTests>>>();
  await using stack = new AsyncDisposableStack();

  const bridge = await startPageBridge(() => page.promise);
  stack.defer(bridge.stop);
  const environment = { ...process.env, HOME: folder, [bridgeVariable]: bridge.address };
  const server = await startServer({
    server: installation.server,
    folder,
    userData: launch.userData,
    extensions: launch.extensions,
    builtins: linkBuiltins(installation.server, folder),
    hasWorkspaceTrust: launch.hasWorkspaceTrust,
    environment,
  });
  stack.defer(server.stop);
  const browser = await startBrowser({ browser: installation.browser, folder });
  stack.defer(() => browser.close());

  const ended = Promise.withResolvers<number>();
  const workbench = await openTests(browser, testsAddress(server, launch), {
    onLog: say,
    onExit: ended.resolve,
  });
  page.resolve(workbench);
  workbench.on('crash', () => ended.reject(new Error('The page crashed.')));
  const timer = setTimeout(
    () => ended.reject(new Error('The tests did not end in time.')),
    limitMilliseconds,
  );
  stack.defer(() => clearTimeout(timer));
  return await Promise.race([
    ended.promise,
    interrupted,
    server.exited.then((code) => {
      throw new Error(`The VS Code server ended with ${String(code)}.`);
    }),
  ]);
}

const interrupted = Promise.withResolvers<number>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => interrupted.resolve(130));
}
// The runner holds the other end of standard input: when it is gone, nobody waits for the result.
process.stdin.once('end', () => interrupted.resolve(130));
process.stdin.resume();

try {
  process.exitCode = await runInBrowser(readLaunch(process.argv.slice(2)), interrupted.promise);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
process.stdin.destroy();
