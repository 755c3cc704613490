// A key that is revoked shows in whatever call comes next; this tells of failures without any caller having to, and whose they are.
import type { ServiceClient } from '../api/client.ts';
import { isServiceError, type ServiceError } from '../domain/serviceError.ts';

/** The same client of a connection, which also reports each failure, as the connection's, before it reaches the caller. */
export function watchClient(
  client: ServiceClient,
  connectionId: string,
  report: (error: ServiceError) => void,
): ServiceClient {
  const reportFailure = (error: unknown): void => {
    if (!isServiceError(error)) return;
    error.connectionId = connectionId;
    report(error);
  };
  const watch =
    <Arguments extends readonly unknown[], Result>(call: (...values: Arguments) => Promise<Result>) =>
    async (...values: Arguments): Promise<Result> => {
      try {
        return await call(...values);
      } catch (error) {
        reportFailure(error);
        throw error;
      }
    };
  const { workflows, executions, portalEvents } = client;
  return {
    workflows: {
      list: watch((...values) => workflows.list(...values)),
      get: watch((...values) => workflows.get(...values)),
      getOne: watch((...values) => workflows.getOne(...values)),
      create: watch((...values) => workflows.create(...values)),
      update: watch((...values) => workflows.update(...values)),
      delete: watch((...values) => workflows.delete(...values)),
      import: watch((...values) => workflows.import(...values)),
      duplicate: watch((...values) => workflows.duplicate(...values)),
      deploy: watch((...values) => workflows.deploy(...values)),
      undeploy: watch((...values) => workflows.undeploy(...values)),
      execute: watch((...values) => workflows.execute(...values)),
    },
    executions: {
      list: watch((...values) => executions.list(...values)),
      get: watch((...values) => executions.get(...values)),
      output: watch((...values) => executions.output(...values)),
      logs: watch((...values) => executions.logs(...values)),
      getNodeLog: watch((...values) => executions.getNodeLog(...values)),
      async *follow(...values) {
        try {
          yield* executions.follow(...values);
        } catch (error) {
          reportFailure(error);
          throw error;
        }
      },
    },
    portalEvents: {
      list: watch((...values) => portalEvents.list(...values)),
      async *stream(...values) {
        try {
          yield* portalEvents.stream(...values);
        } catch (error) {
          reportFailure(error);
          throw error;
        }
      },
      send: watch((...values) => portalEvents.send(...values)),
    },
    budget: client.budget,
    notOffered: client.notOffered,
    dispose: () => client.dispose(),
  };
}
