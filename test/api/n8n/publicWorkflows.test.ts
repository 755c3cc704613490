import { describePublicWorkflows } from '../../n8n/publicWorkflows.ts';
import { createN8nWorld } from '../../support/n8n/world.ts';

describePublicWorkflows('workflows as people have them, on the recorded n8n', async () => {
  const world = await createN8nWorld();
  return { client: world.client, close: () => world.dispose() };
});
