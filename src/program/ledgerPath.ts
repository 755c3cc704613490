// Where the windows of this machine share their count of requests: in the extension's storage, which each build of VS Code has by itself.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The name of the file in the extension's storage. */
const ledgerName = 'budget.db';
const extensionId = 'workflow-automation.workflow-automation';

/** The first is where VS Code itself keeps it, and where the file is made if there's none. */
const ownProduct = 'Code';
const products = [ownProduct, 'Code - Insiders', 'VSCodium', 'Code - OSS', 'Cursor', 'Windsurf'];
/** Of the windows whose extensions run on another machine than they do, such as this one. */
const servers = ['.vscode-server', '.vscode-server-insiders', '.vscodium-server'];

type Environment = Readonly<Record<string, string | undefined>>;

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
  /** The user's own folder. */
  readonly home: string;
}

/** Where programs keep what is the user's, by the custom of the platform. */
function dataFolder({ platform, environment, home }: Machine): string {
  // An empty variable counts as one that isn't set.
  const set = (variable: string): string | undefined => {
    const value = environment[variable];
    return value === '' ? undefined : value;
  };
  if (platform === 'win32') return set('APPDATA') ?? join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return set('XDG_CONFIG_HOME') ?? join(home, '.config');
}

const storageIn = (...folders: readonly string[]): string =>
  join(...folders, 'User', 'globalStorage', extensionId, ledgerName);

/** Returns the file that windows of this machine use, or else the one that they would make. */
export function findLedger(
  machine: Machine = { platform: process.platform, environment: process.env, home: homedir() },
  exists: (path: string) => boolean = existsSync,
): string {
  const folder = dataFolder(machine);
  const own = storageIn(folder, ownProduct);
  const places = [
    ...products.map((product) => storageIn(folder, product)),
    ...servers.map((server) => storageIn(machine.home, server, 'data')),
  ];
  return places.find(exists) ?? own;
}
