// Runs bundled tests in a real VS Code with nothing kept from earlier runs: the desktop one, or the one from the npm registry.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { chromium, type Page } from 'playwright-core';
import { copyExtension } from './copyExtension.ts';
import type { DesktopVsCode } from './desktop.ts';
import { installWeb } from './web/install.ts';
import { bridgeVariable, startPageBridge } from './pageBridge.ts';
import { root } from './paths.ts';
import { writeSettings } from './profile.ts';
import {
  installForWorkspace,
  makeWorkspace,
  type Surroundings,
  surroundingsOf,
  trustSettings,
} from './surroundings.ts';
import { createTestOutput } from './testOutput.ts';
import { closedPort } from '../support/servers.ts';

export interface HostRun {
  /** The extension under development, an absolute folder; the one that is built here unless told. */
  readonly developmentPath?: string;
  /** Extensions to install beside it; absolute folders, which are copied. */
  readonly installedPaths?: readonly string[];
  readonly testsPath: string;
  /** Default: one trusted folder. */
  readonly surroundings?: Surroundings;
  readonly environment: Readonly<Record<string, string>>;
  /** The desktop VS Code, or why it is the one in a browser. */
  readonly desktop: DesktopVsCode;
  /** True: everything that VS Code says is shown, not only what the tests say. */
  readonly isVerbose: boolean;
  /** Takes the output, with its line ends; the terminal unless told. */
  readonly print?: (text: string) => void;
}

const printToTerminal = (text: string): void => {
  process.stdout.write(text);
};

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
  const { desktop, print = printToTerminal } = run;
  const isDesktop = 'executable' in desktop;
  // Done here too, where its progress is seen: what the other process says before the tests do is held back.
  if (!isDesktop) await installWeb();

  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-'));
  const userData = join(folder, 'user');
  const surroundings = run.surroundings ?? surroundingsOf([]);
  writeSettings(userData, trustSettings(surroundings));
  const extensions = join(folder, 'extensions');
  installForWorkspace(extensions, surroundings);
  for (const path of run.installedPaths ?? []) {
    cpSync(path, join(extensions, basename(path)), { recursive: true });
  }
  const copy = join(folder, 'extension');
  if (surroundings.isCopied) copyExtension(copy);
  const launchArgs = [
    ...makeWorkspace(folder, surroundings),
    `--user-data-dir=${userData}`,
    `--extensions-dir=${extensions}`,
    ...(surroundings.isTrusted || isDesktop ? [] : ['--enable-workspace-trust']),
  ];

  const port = await closedPort();
  let connected: Promise<Page> | undefined;
  const bridge = isDesktop ? await startPageBridge(() => (connected ??= desktopPage(port))) : undefined;
  if (isDesktop) launchArgs.push(`--remote-debugging-port=${port}`);
  const output = createTestOutput(run.isVerbose, print);
  try {
    await runTests({
      stdout: output,
      stderr: output,
      vscodeExecutablePath: isDesktop ? desktop.executable : join(root, 'test', 'rig', 'web', 'webCode.ts'),
      extensionDevelopmentPath: run.developmentPath ?? (surroundings.isCopied ? copy : root),
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
    print(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  } finally {
    bridge?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
