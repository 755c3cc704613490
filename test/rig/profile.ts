// Both kinds of VS Code start with the same settings, so that neither asks, greets, updates or phones home.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';

const quietSettings: JsonObject = {
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.enabled': false,
  'window.titleBarStyle': 'custom',
  // The system's own menus cannot be reached from the page.
  'window.menuStyle': 'custom',
  'git.enabled': false,
  // In a browser VS Code would save what is typed by itself, a second later.
  'files.autoSave': 'off',
};

/** Writes the user's settings into a new user data folder, before VS Code first reads them; settings that are there stay. */
export function writeSettings(userData: string, settings: JsonObject): void {
  const folder = join(userData, 'User');
  const file = join(folder, 'settings.json');
  if (existsSync(file)) return;
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify({ ...quietSettings, ...settings }, null, 2);
  writeFileSync(file, `${text}\n`);
}
