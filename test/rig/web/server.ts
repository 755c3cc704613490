// Starts the VS Code server with its web workbench, for the tests' browser and for a person's.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../processes.ts';

export interface ServerOptions {
  /** The server's entry point, from installWeb(). */
  readonly server: string;
  /** Where it keeps extensions, logs and the user's data; made when missing. */
  readonly folder: string;
  /** Where extensions are installed; `folder`/extensions unless told. */
  readonly extensions?: string;
  /** The built-in extensions; all that came with it unless told. */
  readonly builtins?: string;
  /** Where the user's settings, state and keys lie; `folder`/data unless told. */
  readonly userData?: string;
  readonly environment: NodeJS.ProcessEnv;
  /** For a person: the folder that is opened. Without it the server is one for tests, told what to load by the address. */
  readonly workspace?: string;
  /** For tests of restricted mode: workspaces are trusted only when somebody says so. */
  readonly hasWorkspaceTrust?: boolean;
}

/** What tests are run on; absolute paths on this machine. */
export interface TestContent {
  /** A folder, a .code-workspace file, or the URI of a folder on another file system. */
  readonly workspace: string;
  readonly developmentPath: string;
  readonly testsPath: string;
}

export interface VsCodeServer {
  readonly port: number;
  /** Without it the server answers nobody. */
  readonly token: string;
  readonly stop: () => Promise<void>;
  /** Resolves when the server ended by itself. */
  readonly exited: Promise<number | null>;
}

const startMilliseconds = 60_000;
const announcement = /Web UI available at http:\/\/[^:/]+:(\d+)/;

/** An absolute path as the workbench names files of the server's machine. */
function remotePath(path: string): string {
  const forward = path.replaceAll('\\', '/');
  return forward.startsWith('/') ? forward : `/${forward}`;
}

/** The address at which the workbench runs tests as soon as it is opened. */
export function testsAddress({ port, token }: VsCodeServer, content: TestContent): string {
  const authority = `127.0.0.1:${port}`;
  const uri = (path: string): string => `vscode-remote://${authority}${remotePath(path)}`;
  const payload = [
    ['extensionDevelopmentPath', uri(content.developmentPath)],
    ['extensionTestsPath', uri(content.testsPath)],
    ['skipWelcome', 'true'],
  ];
  const { workspace } = content;
  const query = new URLSearchParams({
    tkn: token,
    [workspace.endsWith('.code-workspace') ? 'workspace' : 'folder']: workspace.includes('://')
      ? workspace
      : remotePath(workspace),
    payload: JSON.stringify(payload),
  });
  return `http://${authority}/?${query.toString()}`;
}

/** Starts the server on a free port of the loopback and resolves when it answers. */
export async function startServer(options: ServerOptions): Promise<VsCodeServer> {
  mkdirSync(options.folder, { recursive: true });
  const token = randomBytes(16).toString('hex');
  const tokenFile = join(options.folder, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const args = [
    options.server,
    ...['--host', '127.0.0.1', '--port', '0', '--connection-token-file', tokenFile],
    ...[
      '--server-data-dir',
      options.folder,
      '--user-data-dir',
      options.userData ?? join(options.folder, 'data'),
    ],
    ...['--extensions-dir', options.extensions ?? join(options.folder, 'extensions')],
    ...(options.builtins === undefined ? [] : ['--builtin-extensions-dir', options.builtins]),
    ...['--telemetry-level', 'off', '--accept-server-license-terms'],
    ...(options.hasWorkspaceTrust === true ? [] : ['--disable-workspace-trust']),
    ...(options.workspace === undefined
      ? // Without the driver the workbench ignores which extension and tests it is to load; with it no notification pops up.
        ['--enable-smoke-test-driver']
      : ['--default-folder', options.workspace]),
  ];
  const started = startProcess(process.execPath, args, { env: options.environment });

  const port = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The VS Code server did not answer:\n${started.output()}`)),
      startMilliseconds,
    );
    started.onOutput(() => {
      const found = announcement.exec(started.output())?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    void started.exited.then((code) => {
      clearTimeout(timer);
      reject(new Error(`The VS Code server ended with ${String(code)}:\n${started.output()}`));
    }, reject);
  }).catch(async (error: unknown) => {
    await started.stop();
    throw error;
  });

  return { port: Number(port), token, exited: started.exited, stop: started.stop };
}
