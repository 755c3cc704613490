// An odd service on a real socket, for whoever cannot be handed its request function.
import { getRequestListener } from '@hono/node-server';
import { type Running, serve } from '../servers.ts';
import type { OddService } from './oddContext.ts';
import { createOddApp } from './oddService.ts';

export async function serveOdd(service: OddService): Promise<Running> {
  const app = createOddApp(service);
  const listener = getRequestListener(
    async (request) => {
      const body = request.method === 'GET' ? {} : { body: await request.text() };
      return app(request.url, { method: request.method, headers: request.headers, ...body });
    },
    { overrideGlobalObjects: false },
  );
  return serve((request, response) => void listener(request, response));
}
