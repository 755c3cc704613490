import { playScenarios } from '../scenarios/recordedN8nSubject.ts';
import { recordedToken } from '../support/n8n/recordedMcp.ts';
import { recordedKey, RecordedN8n } from '../support/n8n/recordedN8n.ts';
import { describeN8nRepair } from './n8nRepair.ts';

describeN8nRepair('an n8n as it was recorded', async () => {
  const { n8n, running } = await RecordedN8n.serve(() => Date.now());
  playScenarios(n8n);
  const address = `http://127.0.0.1:${running.port}`;
  return { address, key: recordedKey, token: recordedToken, close: () => running.close() };
});
