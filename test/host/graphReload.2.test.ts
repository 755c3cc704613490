// After the reload the graph shows the same execution again, with the same node selected.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { disconnect } from './commands.ts';
import { inPage, node } from './graphPage.ts';
import { type OwnService, OwnServiceHandle, takeOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';
import { takeOver } from './userData.ts';

const HandedOn = v.object({ service: OwnServiceHandle, connectionId: v.string(), executionId: v.string() });

describe('the graph after a reload of the window', () => {
  let handedOn: v.InferOutput<typeof HandedOn>;
  let service: OwnService;

  before(function () {
    requirePage(this);
    handedOn = takeOver(HandedOn);
    service = takeOwnService(handedOn.service);
  });
  after(async () => {
    await disconnect(handedOn.connectionId);
    await service.stop();
  });

  it('shows the same execution, with the same node selected', async () => {
    // An extension under development is known too late for its view to be in front again: the editor opens a terminal there meanwhile.
    await until(
      async () => {
        await vscode.commands.executeCommand('workflowAutomation.graph.focus');
        return page.texts(inPage('.headText'));
      },
      ([text]) => text?.includes(handedOn.executionId.slice(-6)) === true,
    );
    await page.waitFor(node('receipt', 'data-state="completed"'));
    await page.waitFor(node('price', 'aria-selected="true"'));
    await page.screenshot('graph-after-reload');
  });
});
