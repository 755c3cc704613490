// What the graph shows outlives a reload of the window; this is what stands before it, graphReload.2 comes after.
import * as v from 'valibot';
import { connect, execute, findWorkflow, run } from './commands.ts';
import { inPage, node, selectNode } from './graphPage.ts';
import { quickenSamples, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { handOn } from './userData.ts';

describe('the graph before a reload of the window', () => {
  it('shows an execution that was chosen, with a node selected', async function () {
    requirePage(this);
    const service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    const connectionId = await connect('Graphs', service);
    const { id: workflowId } = await findWorkflow('Order totals');
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    const line = { product: 'Tea', quantity: 2, price: 1.5 };
    const { executionId } = await execute(workflowId, { lines: [line, line], taxPercent: 7 });
    await execute(workflowId, { lines: [], taxPercent: 7 });
    await run(v.unknown(), 'execution.showInGraph', { executionId });
    await page.waitFor(node('receipt', 'data-state="completed"'));
    await selectNode('price');
    await page.waitFor(inPage(`.headText:has-text("${(executionId ?? '').slice(-6)}")`));
    await page.screenshot('graph-before-reload');
    handOn({ service: service.handle, connectionId, executionId });
  });
});
