// The submenus, and where each stands. Their labels are in package.json.
import { inExecutionViews, inView, rowIs, type When } from './when.ts';

interface SubmenuPlace {
  readonly menu: 'view/item/context';
  readonly groups: readonly string[];
  readonly when: When;
}

const ofWorkflow = [inView('workflows'), rowIs('workflow')];
const ofExecution = [inExecutionViews, rowIs('execution')];

export const submenus = {
  'workflow.openMenu': { menu: 'view/item/context', groups: ['1_run@2'], when: ofWorkflow },
  'execution.openMenu': { menu: 'view/item/context', groups: ['1_read@1'], when: ofExecution },
  'execution.copyMenu': { menu: 'view/item/context', groups: ['4_copy'], when: ofExecution },
} as const satisfies Readonly<Record<string, SubmenuPlace>>;
