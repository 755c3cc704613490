// Why no execution of a workflow can be started, and what to do.
import * as l10n from '@vscode/l10n';
import type { ServiceErrorReason, Unstartable } from '../domain/errors.ts';
import { plainLine } from '../base/format.ts';

type NotStartable = Extract<ServiceErrorReason, { readonly kind: 'notStartable' }>;

export function describeNotStartable({ because, by, names = [] }: NotStartable): string {
  switch (because) {
    case 'noTrigger':
      return l10n.t(
        'This workflow has no trigger that can be started from here. A Webhook node can; with the MCP token of your {0} on the connection, chat, form and schedule triggers can, too.',
        by,
      );
    case 'nothingToCall':
      return l10n.t(
        'Nothing in this workflow can be called from here. To execute it, add a Webhook, form, chat or schedule trigger.',
      );
    case 'byHandOnly':
      return l10n.t(
        'This workflow is started by hand. To execute it from here, add the MCP token of your {0} to the connection.',
        by,
      );
    case 'ownAuthentication':
      return l10n.t(
        "The workflow's Webhook node requires authentication of its own. To execute the workflow, add the MCP token of your {0} to the connection.",
        by,
      );
    case 'onlyByAddress':
      return l10n.t(
        "The workflow's Webhook node requires authentication of its own, and {0}'s MCP server can't hand over this input: it takes no parameters of an address, no lists in a query, and only the first of several methods.",
        by,
      );
    case 'noMcp':
      return l10n.t(
        'This {0} has no MCP server, so an execution can only be started by a Webhook node that wants no authentication of its own.',
        by,
      );
    case 'notInMcp':
      return l10n.t(
        '{0} doesn\'t let its MCP server execute this workflow. Switch on "Available in MCP" in the workflow\'s settings.',
        by,
      );
    case 'closedNotInMcp':
      return l10n.t(
        "The workflow's Webhook node requires authentication of its own, and {0} doesn't let its MCP server execute this workflow. Switch on \"Available in MCP\" in the workflow's settings.",
        by,
      );
    case 'unsaved':
      return l10n.t('{0} executes what is saved. Save the definition, then execute it.', by);
    case 'notPinnable':
      return l10n.t(
        '{0} pins objects, and only of nodes with one output. Remove or change these pins: {1}',
        by,
        names.map((name) => plainLine(name, 60)).join(', '),
      );
  }
}

/** Whether the token of the MCP server helps. */
export function isTokenMissing(because: Unstartable): boolean {
  return because === 'noTrigger' || because === 'byHandOnly' || because === 'ownAuthentication';
}
