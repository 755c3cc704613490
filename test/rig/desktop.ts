// A desktop VS Code is the first choice; this finds one, or says in words why there is none.
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';

/** Either the program of a desktop VS Code, or why none can be started here. */
export type DesktopVsCode = { readonly executable: string } | { readonly reason: string };

const hasDisplay = (): boolean =>
  process.platform !== 'linux' ||
  process.env['DISPLAY'] !== undefined ||
  process.env['WAYLAND_DISPLAY'] !== undefined;

/** True when the program starts at all: on a bare Linux its libraries are missing. */
const canRun = (executable: string): boolean =>
  spawnSync(executable, ['--version'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: 'ignore',
    windowsHide: true,
  }).status === 0;

/** The program behind the "code" command: the command itself would leave it running when it is ended. */
function installedExecutable(): string | undefined {
  const command = process.platform === 'win32' ? 'code.cmd' : 'code';
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, command);
    if (!existsSync(path)) continue;
    const bin = dirname(realpathSync(path));
    const candidates = [
      join(bin, '..', 'code'),
      join(bin, '..', 'Code.exe'),
      join(bin, '..', '..', '..', 'MacOS', 'Electron'),
      join(bin, '..', '..', '..', 'MacOS', 'Code'),
    ];
    const found = candidates.find((candidate) => existsSync(candidate) && canRun(candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function downloadedExecutable(): Promise<DesktopVsCode> {
  try {
    const executable = await downloadAndUnzipVSCode();
    if (canRun(executable)) return { executable };
    return { reason: 'the downloaded VS Code does not run here: libraries are missing' };
  } catch (error) {
    return {
      reason: `VS Code cannot be downloaded: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** For tests: always the downloaded one, so that every machine tests the same. */
export async function findDesktopForTests(): Promise<DesktopVsCode> {
  return hasDisplay() ? downloadedExecutable() : { reason: 'there is no display' };
}

/** For a person: the installed one, else a downloaded one. */
export async function findDesktop(): Promise<DesktopVsCode> {
  if (!hasDisplay()) return { reason: 'there is no display' };
  const executable = installedExecutable();
  return executable === undefined ? downloadedExecutable() : { executable };
}
