// The behaviours by node type; delay and for-each need the run itself and are in nodeRunner.ts.
import type { ForEachType, NodeType } from '../../../definition/nodeTypes.ts';
import { runCondition } from './condition.ts';
import { runFail } from './fail.ts';
import { runHttpRequest } from './httpRequest.ts';
import { runLog } from './log.ts';
import type { NodeBehaviour } from './nodeBehaviour.ts';
import { runOutput } from './output.ts';
import { runPortalEvent } from './portalEvent.ts';
import { runTransform } from './transform.ts';
import { runTrigger } from './trigger.ts';

type StepNodeType = Exclude<NodeType, 'delay' | ForEachType>;

export const behaviours: Readonly<Record<StepNodeType, NodeBehaviour>> = {
  trigger: runTrigger,
  transform: runTransform,
  condition: runCondition,
  httpRequest: runHttpRequest,
  log: runLog,
  portalEvent: runPortalEvent,
  fail: runFail,
  output: runOutput,
};
