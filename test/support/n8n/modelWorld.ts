// The model over an n8n that answers as it was recorded to, beside a service in memory.
import { HandClock } from '../memory/ports.ts';
import { createMemoryNetwork, MemoryService } from '../memory/service.ts';
import { createWorld, firstUrl, type World } from '../memory/world.ts';
import { createN8nWorld, type N8nWorld } from './world.ts';

export interface ModelWorld {
  readonly n8n: N8nWorld['n8n'];
  readonly waits: N8nWorld['waits'];
  readonly service: MemoryService;
  readonly model: World;
  /** The connections to the n8n, which is active, and to the service. */
  readonly n8nId: string;
  readonly serviceId: string;
  dispose(): Promise<void>;
}

/** The connection's kind is its address here. */
export async function createModelWorld(): Promise<ModelWorld> {
  const world = await createN8nWorld();
  const service = new MemoryService();
  const memory = createMemoryNetwork({ 'https://first.example': service });
  const model = createWorld({
    clock: new HandClock(),
    createClient: (connection, readKey, owner) =>
      connection.baseUrl === firstUrl
        ? memory(connection, readKey, owner)
        : world.connect({ address: connection.baseUrl }),
  });
  const add = (name: string, baseUrl: string) =>
    model.connections.add({ name, baseUrl, apiKey: 'svc_sk_good' }, { verify: 'never' });
  const { id: serviceId } = await add('Service', firstUrl);
  const { id: n8nId } = await add('n8n', `${world.address}/api/v1`);
  await model.connections.switchTo(n8nId);
  return {
    n8n: world.n8n,
    waits: world.waits,
    service,
    model,
    n8nId,
    serviceId,
    async dispose() {
      model.following.dispose();
      model.clients.dispose();
      await world.dispose();
    },
  };
}
