import assert from 'node:assert/strict';
import { findLedger } from '../../src/program/ledgerPath.ts';

const file = 'User/globalStorage/workflow-automation.workflow-automation/budget.db';
const linux = { platform: 'linux', environment: {}, home: '/home/ada' } as const;

describe('the ledger of the request limit', () => {
  it("is made where VS Code's windows of the platform would make it", () => {
    const places = [
      linux,
      { ...linux, environment: { XDG_CONFIG_HOME: '/config' } },
      { ...linux, environment: { XDG_CONFIG_HOME: '' } },
      { platform: 'darwin', environment: {}, home: '/Users/ada' } as const,
      { platform: 'win32', environment: { APPDATA: 'C:/Roaming' }, home: 'C:/ada' } as const,
      { platform: 'win32', environment: { APPDATA: '' }, home: 'C:/ada' } as const,
    ].map((machine) => findLedger(machine, () => false));
    assert.deepEqual(places, [
      `/home/ada/.config/Code/${file}`,
      `/config/Code/${file}`,
      `/home/ada/.config/Code/${file}`,
      `/Users/ada/Library/Application Support/Code/${file}`,
      `C:/Roaming/Code/${file}`,
      `C:/ada/AppData/Roaming/Code/${file}`,
    ]);
  });

  it('is that of another build, or of windows elsewhere, where only those have one', () => {
    for (const found of [`/home/ada/.config/VSCodium/${file}`, `/home/ada/.vscode-server/data/${file}`])
      assert.equal(
        findLedger(linux, (path) => path === found),
        found,
      );
  });
});
