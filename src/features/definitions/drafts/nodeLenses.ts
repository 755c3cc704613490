// The lenses above each node of a definition that execute it as the text stands.
import * as vscode from 'vscode';
import { targetName, type WorkflowTarget } from '../../../domain/targets.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { lensesAt } from '../../../editor/documents/documents.ts';
import type { DefinitionTexts } from '../../../ui/definitionTexts.ts';

interface Made {
  /** What all of them depend on. */
  readonly by: string;
  /** By node id. */
  readonly commands: ReadonlyMap<string, readonly vscode.Command[]>;
}

/** Made once for a node: on each key stroke all are asked for, and only their places are new. */
export class DraftLenses {
  readonly #texts: DefinitionTexts;
  readonly #made = new WeakMap<vscode.TextDocument, Made>();

  constructor(texts: DefinitionTexts) {
    this.#texts = texts;
  }

  list(
    document: vscode.TextDocument,
    target: WorkflowTarget,
    canExecuteAlone: boolean,
  ): readonly vscode.CodeLens[] {
    const by = `${targetName(target)} ${canExecuteAlone}`;
    const before = this.#made.get(document);
    const known = before?.by === by ? before.commands : undefined;
    const made = new Map<string, readonly vscode.Command[]>();
    this.#made.set(document, { by, commands: made });
    return [...this.#texts.of(document).byId.values()].flatMap(({ id, offset }) => {
      const commands = known?.get(id) ?? nodeCommands({ ...target, nodeId: id }, canExecuteAlone);
      made.set(id, commands);
      return lensesAt(document, offset, commands);
    });
  }
}

function nodeCommands(
  node: WorkflowTarget & { readonly nodeId: string },
  canExecuteAlone: boolean,
): readonly vscode.Command[] {
  const upTo = offerCommand('node.executeUpTo', node, {
    title: vscode.l10n.t('Execute up to Here'),
    tooltip: vscode.l10n.t('Execute this node and what leads to it as a draft'),
  });
  if (!canExecuteAlone) return [upTo];
  return [
    offerCommand('node.execute', node, {
      title: vscode.l10n.t('Execute Node'),
      tooltip: vscode.l10n.t('Execute this node as a draft, with the data of the shown execution'),
    }),
    upTo,
  ];
}
