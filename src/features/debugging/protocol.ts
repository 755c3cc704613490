// What the editor asks by the debug adapter protocol, as far as it's read here.
import * as v from 'valibot';

const number = v.number();
const text = v.optional(v.string());

export const Request = v.object({
  seq: number,
  type: v.literal('request'),
  command: v.string(),
  arguments: v.optional(v.unknown()),
});
export type Request = v.InferOutput<typeof Request>;

/** Lines begin with 1 unless the editor says otherwise. */
export const Initialize = v.object({
  linesStartAt1: v.optional(v.boolean(), true),
  supportsProgressReporting: v.optional(v.boolean(), false),
});

const condition = { condition: text, hitCondition: text };
export const SetBreakpoints = v.object({
  source: v.object({ path: text }),
  breakpoints: v.optional(v.array(v.object({ line: number, logMessage: text, ...condition })), []),
});
export type SetBreakpoints = v.InferOutput<typeof SetBreakpoints>;
export type LineBreakpoint = SetBreakpoints['breakpoints'][number];
export const SetFunctionBreakpoints = v.object({
  breakpoints: v.array(v.object({ name: v.string(), ...condition })),
});
export type FunctionBreakpoint = v.InferOutput<typeof SetFunctionBreakpoints>['breakpoints'][number];
export const SetExceptionBreakpoints = v.object({ filters: v.array(v.string()) });

export const OfFrame = v.object({ frameId: number });
export const StackRange = v.object({ startFrame: v.optional(number, 0), levels: v.optional(number, 0) });
export type StackRange = v.InferOutput<typeof StackRange>;
export const ReadVariables = v.object({
  variablesReference: number,
  filter: text,
  start: v.optional(number, 0),
  count: v.optional(number, 0),
});
export type ReadVariables = v.InferOutput<typeof ReadVariables>;
export const Evaluate = v.object({ expression: v.string(), frameId: v.optional(number), context: text });
export type Evaluate = v.InferOutput<typeof Evaluate>;
/** `line` and `column` say where the cursor is in the text; both count from 1. */
export const Complete = v.object({
  text: v.string(),
  line: v.optional(number, 1),
  column: number,
  frameId: v.optional(number),
});
export type Complete = v.InferOutput<typeof Complete>;
export const Cancel = v.object({ requestId: v.optional(number), progressId: text });
