// Package.json with its texts, as far as tests read it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const Manifest = v.object({
  name: v.string(),
  publisher: v.string(),
  contributes: v.object({
    commands: v.array(
      v.object({
        command: v.string(),
        title: v.string(),
        shortTitle: v.optional(v.string()),
        category: v.string(),
        icon: v.optional(v.string()),
        enablement: v.optional(v.string()),
      }),
    ),
    submenus: v.array(v.object({ id: v.string(), label: v.string() })),
    keybindings: v.array(
      v.object({ command: v.string(), key: v.string(), when: v.string(), args: v.optional(v.unknown()) }),
    ),
    views: v.object({
      workflowAutomation: v.array(v.object({ id: v.string(), icon: v.string() })),
      workflowAutomationGraph: v.array(v.object({ id: v.string() })),
    }),
    viewsWelcome: v.array(v.object({ view: v.string(), contents: v.string(), when: v.string() })),
    menus: v.record(
      v.string(),
      v.array(
        v.object({
          command: v.optional(v.string()),
          submenu: v.optional(v.string()),
          when: v.optional(v.string()),
          group: v.optional(v.string()),
        }),
      ),
    ),
    resourceLabelFormatters: v.array(
      v.object({
        scheme: v.string(),
        formatting: v.object({
          label: v.string(),
          separator: v.string(),
          stripPathStartingSeparator: v.boolean(),
        }),
      }),
    ),
    jsonValidation: v.array(v.object({ fileMatch: v.array(v.string()), url: v.string() })),
    configuration: v.array(
      v.object({
        title: v.string(),
        order: v.number(),
        properties: v.record(
          v.string(),
          v.object({ scope: v.string(), order: v.number(), default: v.unknown() }),
        ),
      }),
    ),
  }),
});

/** Reads a file at the root. */
export function readText(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

export const manifestText = readText('package.json');
export const manifest = v.parse(Manifest, JSON.parse(manifestText));
export const texts = v.parse(v.record(v.string(), v.string()), JSON.parse(readText('package.nls.json')));

/** The text of a placeholder. */
export function textOf(placeholder: string): string {
  return texts[placeholder.slice(1, -1)] ?? assert.fail(placeholder);
}
