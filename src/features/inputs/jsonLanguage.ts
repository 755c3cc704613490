// What a schema offers and explains in a document, by the JSON language service. The editor's built-in one selects schemas only by file name. Loaded when it's first asked.
import * as vscode from 'vscode';
import {
  type CompletionItem,
  getLanguageService,
  type JSONDocument,
  TextDocument,
} from 'vscode-json-languageservice';
import type { JsonObject } from '../../base/json.ts';
import type { InputChecker } from '../../definition/inputSchema.ts';
import { offeredSchema } from '../../model/inputs/boundedSchema.ts';
import { toHoverText } from './schemaHover.ts';
import { SchemaValidator } from './schemaValidator.ts';

interface ParsedText {
  readonly text: TextDocument;
  readonly parsed: JSONDocument;
}

interface PlainRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** The LSP values for the kind "property" and the format "snippet". */
const propertyKind = 10;
const snippetFormat = 2;

export class JsonLanguage extends SchemaValidator {
  readonly #service = getLanguageService({});

  constructor(schema: JsonObject, checker?: InputChecker) {
    super(schema, checker);
    const uri = 'workflow-schema://schemas/input.json';
    this.#service.configure({ schemas: [{ uri, fileMatch: ['*'], schema: offeredSchema(schema) }] });
  }

  async complete(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.CompletionItem[]> {
    const { text, parsed } = this.#parse(document);
    const list = await this.#service.doComplete(text, position, parsed);
    return (list?.items ?? []).map(toCompletion);
  }

  async hover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const { text, parsed } = this.#parse(document);
    const hover = await this.#service.doHover(text, position, parsed);
    if (hover === null) return undefined;
    const contents = Array.isArray(hover.contents) ? hover.contents : [hover.contents];
    const shown = contents.map((content) => toHoverText(toText(content))).filter(({ value }) => value !== '');
    if (shown.length === 0) return undefined;
    return hover.range ? new vscode.Hover(shown, toRange(hover.range)) : new vscode.Hover(shown);
  }

  #parse(document: vscode.TextDocument): ParsedText {
    const text = TextDocument.create(document.uri.toString(), 'json', document.version, document.getText());
    return { text, parsed: this.#service.parseJSONDocument(text) };
  }
}

function toRange({ start, end }: PlainRange): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function toText(content: { readonly value: string } | string): string {
  return typeof content === 'string' ? content : content.value;
}

function toCompletion(item: CompletionItem): vscode.CompletionItem {
  const isProperty = item.kind === propertyKind;
  const completion = new vscode.CompletionItem(
    item.label,
    isProperty ? vscode.CompletionItemKind.Property : vscode.CompletionItemKind.Value,
  );
  const { textEdit, documentation } = item;
  const text = textEdit?.newText ?? item.insertText ?? item.label;
  completion.insertText = item.insertTextFormat === snippetFormat ? new vscode.SnippetString(text) : text;
  if (textEdit !== undefined && 'range' in textEdit) completion.range = toRange(textEdit.range);
  if (item.filterText !== undefined) completion.filterText = item.filterText;
  if (item.sortText !== undefined) completion.sortText = item.sortText;
  if (item.detail !== undefined) completion.detail = item.detail;
  if (documentation !== undefined) completion.documentation = toText(documentation);
  return completion;
}
