// Which tables are tried out together, each area in a VS Code of its own; all of them together must name every fixed command.
import { actingWays } from './tables/acting.ts';
import { connectionWays } from './tables/connections.ts';
import { debuggingWays } from './tables/debugging.ts';
import { deploymentWays } from './tables/deployment.ts';
import { executionWays } from './tables/executions.ts';
import { followingWays } from './tables/following.ts';
import { localServiceWays } from './tables/localService.ts';
import { portalEventWays } from './tables/portalEvents.ts';
import { workflowWays } from './tables/workflows.ts';
import type { WaysTable } from './threeWays.ts';
import type { World } from './world.ts';

export const areas = {
  connections: (world: World): WaysTable => ({ ...connectionWays(world), ...localServiceWays }),
  workflows: (world: World): WaysTable => ({
    ...workflowWays(world),
    ...deploymentWays(world),
    ...debuggingWays(world),
  }),
  executions: (world: World): WaysTable => ({
    ...executionWays(world),
    ...followingWays(world),
    ...actingWays(world),
    ...portalEventWays,
  }),
} as const;
