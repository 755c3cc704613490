// Why: runs the bundled host tests in a real VS Code: the desktop one where it can be had, else the one from the npm registry.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { findDesktopForTests } from './desktop.ts';
import { installWeb } from './web/install.ts';
import { bridgeVariable, startPageBridge } from './pageBridge.ts';
import { hostTests, root } from './paths.ts';
import { writeSettings } from './profile.ts';
import { say } from './say.ts';
import { installForWorkspace, makeWorkspace, surroundingsOf, trustSettings } from './surroundings.ts';
import type { Surroundings } from './surroundings.ts';
import { createTestOutput } from './testOutput.ts';

export interface HostRun {
  /** The extension under development; an absolute folder. */
  readonly developmentPath: string;
  /** Extensions to install beside it; absolute folders, which are copied. */
  readonly installedPaths?: readonly string[];
  readonly testsPath: string;
  /** Default: one trusted folder. */
  readonly surroundings?: Surroundings;
  readonly environment: Readonly<Record<string, string>>;
  /** True: never the desktop VS Code. */
  readonly isBrowserOnly: boolean;
  /** True: everything that VS Code says is shown, not only what the tests say. */
  readonly isVerbose: boolean;
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (bound === null || typeof bound === 'string') throw new Error('No port is free.');
  return bound.port;
}

/** The desktop's window is a Chromium page, reached through its debugging port when a test first asks for it. */
async function desktopPage(port: number): Promise<Page> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const pages = browser.contexts().flatMap((context) => context.pages());
  const workbench = pages.find((page) => page.url().includes('workbench'));
  if (workbench === undefined) throw new Error('The VS Code window has no page to look at.');
  return workbench;
}

/** Runs tests in a VS Code of its own, with nothing kept from earlier runs; false when one failed. */
export async function runInVsCode(run: HostRun): Promise<boolean> {
  const desktop = run.isBrowserOnly ? { reason: 'it was asked for' } : await findDesktopForTests();
  const isDesktop = 'executable' in desktop;
  say(
    isDesktop
      ? 'Testing in the desktop VS Code.'
      : `Testing in the VS Code for the browser: ${desktop.reason}.`,
  );

  // Done here too, where its progress is seen: what the other process says before the tests do is held back.
  if (!isDesktop) await installWeb();

  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-'));
  const userData = join(folder, 'user');
  const surroundings = run.surroundings ?? surroundingsOf('');
  writeSettings(userData, trustSettings(surroundings));
  const extensions = join(folder, 'extensions');
  installForWorkspace(extensions, surroundings);
  for (const path of run.installedPaths ?? []) {
    cpSync(path, join(extensions, basename(path)), { recursive: true });
  }
  const launchArgs = [
    ...makeWorkspace(folder, surroundings),
    `--user-data-dir=${userData}`,
    `--extensions-dir=${extensions}`,
    ...(surroundings.isTrusted || isDesktop ? [] : ['--enable-workspace-trust']),
  ];

  const port = await freePort();
  let connected: Promise<Page> | undefined;
  const bridge = isDesktop ? await startPageBridge(() => (connected ??= desktopPage(port))) : undefined;
  if (isDesktop) launchArgs.push(`--remote-debugging-port=${port}`);
  const output = createTestOutput(run.isVerbose);
  try {
    await runTests({
      stdout: output,
      stderr: output,
      vscodeExecutablePath: isDesktop
        ? desktop.executable
        : join(root, 'test', 'vscode', 'web', 'webCode.ts'),
      extensionDevelopmentPath: run.developmentPath,
      extensionTestsPath: run.testsPath,
      extensionTestsEnv: {
        ...run.environment,
        WORKFLOW_TEST_USER_DATA: userData,
        ...(bridge ? { [bridgeVariable]: bridge.address } : {}),
      },
      launchArgs,
    });
    return true;
  } catch (error) {
    output.showHeldBack();
    say(error instanceof Error ? error.message : String(error));
    return false;
  } finally {
    bridge?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Meets every error text there is, which takes minutes: run when it is named, as the pictures are. */
const onDemand: readonly string[] = ['errors.test.cjs'];

/** The test files whose path holds one of the words, by the VS Code that they need: one of its own for each name, so that no test meets what another left, nor shares its minute's requests; one for all tables. */
function testGroups(
  words: readonly string[],
): readonly { readonly name: string; readonly files: readonly string[] }[] {
  const files = readdirSync(dirname(hostTests), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.cjs'))
    .filter((file) =>
      words.length === 0 ? !onDemand.includes(file) : words.some((word) => file.includes(word)),
    );
  const nameOf = (file: string): string =>
    file.endsWith('Tables.test.cjs') ? 'Tables' : (file.split('.')[0] ?? file);
  return [...new Set(files.map(nameOf))].map((name) => ({
    name,
    files: files.filter((file) => nameOf(file) === name),
  }));
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      files: { type: 'string', multiple: true, default: [] },
      browser: { type: 'boolean', default: false },
      grep: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  let isPassed = true;
  for (const { name, files } of testGroups(values.files.flatMap((words) => words.split(',')))) {
    say(`\n${name}`);
    const isGroupPassed = await runInVsCode({
      developmentPath: root,
      testsPath: hostTests,
      surroundings: surroundingsOf(name),
      isBrowserOnly: values.browser,
      isVerbose: values.verbose,
      environment: {
        WORKFLOW_TEST_FILES: files.join(','),
        ...(values.grep === undefined ? {} : { WORKFLOW_TEST_GREP: values.grep }),
      },
    });
    isPassed &&= isGroupPassed;
  }
  process.exitCode = isPassed ? 0 : 1;
}
