import { playScenarios } from '../../scenarios/recordedN8nSubject.ts';
import { recordedToken } from '../../support/n8n/recordedMcp.ts';
import { recordedKey, RecordedN8n } from '../../support/n8n/recordedN8n.ts';
import { describeN8nCommands, type OpenN8n } from './n8nCommands.ts';
import { describeN8nFiles } from './n8nFiles.ts';

async function serve(): Promise<OpenN8n> {
  const { n8n, running } = await RecordedN8n.serve(() => Date.now());
  playScenarios(n8n);
  const address = `http://127.0.0.1:${running.port}`;
  return { address, key: recordedKey, token: recordedToken, close: () => running.close() };
}

describeN8nCommands('an n8n as it was recorded', serve);
describeN8nFiles('two n8n as they were recorded', async () => ({
  staging: await serve(),
  live: await serve(),
}));
