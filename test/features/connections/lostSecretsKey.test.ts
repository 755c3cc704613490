// The key that a window's secret storage had is lost, and another one is made: the rows say at once which secrets can't be read.
import assert from 'node:assert/strict';
import { HttpLoader } from '../../../src/api/http/httpLoader.ts';
import { SettingsClient } from '../../../src/api/settingsClient.ts';
import { ObservableValue } from '../../../src/base/event.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { createConnectionsTree } from '../../../src/features/connections/connectionsTree.ts';
import { startLocalService } from '../../../src/launcher/startLocalService.ts';
import type { LocalServiceState } from '../../../src/model/localService.ts';
import { createDataFolder, keeping, programSource, removeDataFolder } from '../../service/process/program.ts';
import { MemoryTreeView } from '../../support/memory/treeView.ts';
import { createWorld } from '../../support/memory/world.ts';
import { renderTree } from '../../support/renderTree.ts';

describe('The rows of secrets whose key is lost', () => {
  let dataFolder = '';
  let close = (): Promise<void> => Promise.resolve();
  const http = new HttpLoader(() => ({}));
  beforeEach(async () => {
    dataFolder = await createDataFolder();
  });
  afterEach(async () => {
    await close();
    await removeDataFolder(dataFolder);
  });
  after(() => http.dispose());

  /** Starts the service, as a window does whose secret storage has this key. */
  const open = async (key: string) => {
    const service = await startLocalService({
      nodePath: process.execPath,
      servicePath: programSource,
      dataFolder,
      samples: false,
      ...keeping,
      readSecretsKey: () => Promise.resolve(key),
      signal: new AbortController().signal,
      logger: silentLogger,
    });
    const { origin, sessionToken, baseUrl } = service;
    const settings = new SettingsClient({ http: http.load, origin, sessionToken });
    close = async () => {
      close = () => Promise.resolve();
      settings.dispose();
      await service.stop();
      service.dispose();
    };
    const world = createWorld();
    await world.connections.add(
      { name: 'Local service', kind: 'local', baseUrl, apiKey: 'svc_sk_good' },
      { verify: 'never' },
    );
    const view = new MemoryTreeView();
    const tree = createConnectionsTree(view, {
      ...world,
      localData: { folder: dataFolder },
      localService: { state: new ObservableValue<LocalServiceState>({ kind: 'running', baseUrl, settings }) },
      contextKeys: () => undefined,
    });
    const rows = async () => {
      const text = await renderTree(tree, view, new Map());
      tree.dispose();
      return text.split('\n').filter((line) => line.includes('_TOKEN  |'));
    };
    return { settings, rows };
  };

  it('say so at the start, before anything is executed, and no more once the value is replaced', async () => {
    const first = await open('k'.repeat(43));
    await first.settings.setSecret('OLD_TOKEN', { value: 'a value of it' });
    assert.match((await first.rows()).join(), /OLD_TOKEN {2}\| {2}secret · set just now$/);
    await close();
    const second = await open('l'.repeat(43));
    await second.settings.setSecret('NEW_TOKEN', { value: 'another value' });
    const rows = await second.rows();
    assert.deepEqual(
      rows.map((row) => row.trim()),
      ['NEW_TOKEN  |  secret · set just now', "OLD_TOKEN  |  secret · can't be read, replace its value"],
    );
    await close();
    const third = await open('l'.repeat(43));
    await third.settings.setSecret('OLD_TOKEN', { value: 'a value of it' });
    assert.doesNotMatch((await third.rows()).join(), /can't be read/);
  });
});
