// What the status bar says of failures, as long as nobody has looked at them.
import assert from 'node:assert/strict';
import { URI } from 'vscode-uri';
import { FailureItem } from '../../../../src/features/executions/notices/failureItem.ts';
import type { Ending } from '../../../../src/features/executions/notices/renderNotice.ts';
import { executionUri } from '../../../../src/ui/addresses.ts';
import { makeExecution, statusOf } from '../../../support/memory/records.ts';
import { createWorld } from '../../../support/memory/world.ts';
import { front, statusBarItems, TabInputText } from '../../../support/vscodeStandIn.ts';

const failure = (executionId: string, name: string): Ending => ({
  target: { connectionId: 'c', executionId },
  execution: makeExecution(executionId, { workflowId: name, status: statusOf('failed') }),
  name,
  certainty: 'certain',
});

describe('the item of failures in the status bar', () => {
  afterEach(() => front.close());

  it('has each until its document was looked at, also when others fail later', () => {
    const world = createWorld();
    const item = new FailureItem(world.definitionTargets);
    const shown = () => {
      const { text = '', isShown = false } = statusBarItems.get('workflowAutomation.failure') ?? {};
      return isShown ? text : '';
    };
    const look = (executionId: string) => {
      const target = { connectionId: 'c', executionId };
      const uri = executionUri(
        { target, part: 'details', nodeRunKey: '', isCompact: false },
        { connectionName: 'C', title: 'details' },
      );
      front.show(new TabInputText(URI.from(uri)), uri);
    };
    item.show([failure('e1', 'Orders')]);
    item.show([failure('e2', 'Invoices')]);
    assert.match(shown(), /2 executions failed/);
    look('e1');
    assert.match(shown(), /Invoices failed/);
    look('e2');
    assert.equal(shown(), '');
    item.dispose();
    world.following.dispose();
  });
});
