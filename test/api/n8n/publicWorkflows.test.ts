import { describePublicWorkflows } from '../../n8n/publicWorkflows.ts';
import { createN8nWorld } from '../../support/n8n/world.ts';

for (const version of [1, 2] as const)
  describePublicWorkflows(
    `workflows as people have them, on the recorded n8n of version ${version}`,
    async () => {
      const world = await createN8nWorld();
      world.n8n.version = version;
      return { client: world.client, close: () => world.dispose() };
    },
    version,
  );
