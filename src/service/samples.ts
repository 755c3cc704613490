// The sample workflows for new users: one branches, one loops, one fails on invalid input.
import * as v from 'valibot';
import orderTotals from '../../media/samples/order-totals.json' with { type: 'json' };
import signupCheck from '../../media/samples/signup-check.json' with { type: 'json' };
import supportTriage from '../../media/samples/support-triage.json' with { type: 'json' };
import { CreateWorkflowRequest } from '../protocol/requests.ts';
import type { WorkflowStore } from './store/workflows.ts';

/** Oldest first; lists show the newest first, so in reverse. */
const samples: readonly unknown[] = [signupCheck, orderTotals, supportTriage];

/** Imports the samples if there are no workflows. */
export async function importSamples(workflows: WorkflowStore): Promise<void> {
  const { items } = await workflows.list({ limit: 1 });
  if (items.length > 0) return;
  for (const sample of samples) await workflows.create(v.parse(CreateWorkflowRequest, sample));
}
