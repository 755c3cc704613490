// What a schema says of a document: completion and hovers of the JSON language service, and problems as the local service finds them. The editor's built-in one selects schemas only by file name. Loaded with the first schema.
import * as vscode from 'vscode';
import {
  type CompletionItem,
  getLanguageService,
  type JSONDocument,
  TextDocument,
} from 'vscode-json-languageservice';
import { type JsonObject, parseJson } from '../../base/json.ts';
import { moreWords } from '../../definition/faultList.ts';
import { type InputChecker, inputFaults } from '../../definition/inputSchema.ts';
import { readJsonText } from '../../definition/jsonText.ts';
import { offeredSchema } from '../../model/inputs/boundedSchema.ts';
import { toHoverText } from './schemaHover.ts';
import { schemaProblems, schemaProblemWords } from './schemaProblems.ts';

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

/** For schemas that can be trusted. */
const onThisThread: InputChecker = {
  checkInput: (schema, input) => Promise.resolve(inputFaults(schema, parseJson(input) ?? null)),
};

export class JsonLanguage {
  readonly #schema: JsonObject;
  readonly #checker: InputChecker;
  readonly #service = getLanguageService({});

  constructor(schema: JsonObject, checker = onThisThread) {
    this.#schema = schema;
    this.#checker = checker;
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

  /** Returns what doesn't match the schema, at its place; nothing while the text isn't JSON, which other diagnostics report. Rejects as a checker does. */
  async validate(
    document: vscode.TextDocument,
    severity: vscode.DiagnosticSeverity,
    signal: AbortSignal,
  ): Promise<readonly vscode.Diagnostic[]> {
    const text = document.getText();
    const { root, error } = readJsonText(text);
    if (error !== undefined) return [];
    const { faults } = await this.#checker.checkInput(this.#schema, text, signal);
    return schemaProblems(document, root, faults, severity);
  }

  /** The same in sentences; after the first 20, one that says how many more there are. Rejects as a checker does. */
  async findProblems(json: string, signal = new AbortController().signal): Promise<readonly string[]> {
    const { faults, more } = await this.#checker.checkInput(this.#schema, json, signal);
    return [...faults.map(schemaProblemWords), ...(more === 0 ? [] : [moreWords(more)])];
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
