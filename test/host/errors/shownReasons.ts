// Reasons that no answer of the services here brings about: they are shown by the same door.
import { ServiceError } from '../../../src/domain/errors.ts';
import { type Meeting, show } from './meeting.ts';

export const shownReasons = {
  // Keys are kept by the editor: none can be taken away from outside.
  keyMissing: {
    meet: () => show(new ServiceError({ kind: 'keyMissing' }, '')),
    words: "The API key of this connection isn't on this machine.",
    buttons: ['Enter Key…'],
  },
  // Nor can their storage be broken from outside.
  secretStorage: {
    meet: () => show(new ServiceError({ kind: 'secretStorage', operation: 'read', cause: 'failed' }, '')),
    words:
      "VS Code's secret storage didn't return the API key. Unlock the keychain of your system and try again, or restart VS Code.",
    buttons: ['Replace Key…', 'Show Log'],
  },
  // In the message at the end of an import it stands behind the name of its file.
  otherFormat: {
    meet: () => show(new ServiceError({ kind: 'otherFormat', expected: 'service' }, '')),
    words: 'This is a workflow of n8n. Use a connection to an n8n for it. Nothing was sent.',
  },
  // Only an n8n has workflows without a way to start them.
  notStartable: {
    meet: () => show(new ServiceError({ kind: 'notStartable', because: 'noTrigger', by: 'n8n' }, '')),
    words:
      'This workflow has no trigger that can be started from here. A Webhook node can; with the MCP token of your n8n on the connection, chat, form and schedule triggers can, too.',
    buttons: ['Add MCP Token…'],
  },
} satisfies Record<string, Meeting>;

export const shownVariants = {
  closedNotInMcp: {
    meet: () => show(new ServiceError({ kind: 'notStartable', because: 'closedNotInMcp', by: 'n8n' }, '')),
    words:
      "The workflow's Webhook node requires authentication of its own, and n8n doesn't let its MCP server execute this workflow. Switch on \"Available in MCP\" in the workflow's settings.",
  },
  silentSecretStorage: {
    meet: () => show(new ServiceError({ kind: 'secretStorage', operation: 'store', cause: 'silent' }, '')),
    words: "VS Code's secret storage didn't store the API key. It didn't respond in time. Unlock",
    buttons: ['Show Log'],
  },
  otherFormatForN8n: {
    meet: () => show(new ServiceError({ kind: 'otherFormat', expected: 'n8n' }, '')),
    words: 'This isn\'t a workflow of n8n, which has "nodes" and "connections". Nothing was sent.',
  },
  ownAuthentication: {
    meet: () => show(new ServiceError({ kind: 'notStartable', because: 'ownAuthentication', by: 'n8n' }, '')),
    words:
      "The workflow's Webhook node requires authentication of its own. To execute the workflow, add the MCP token of your n8n to the connection.",
    buttons: ['Add MCP Token…'],
  },
} satisfies Record<string, Meeting>;
