// What the extension and the page of the graph say to each other, and how each side decodes it.
import * as v from 'valibot';
import type { RunState } from '../../domain/status.ts';

/** What the page shows, as ids. The page keeps it and returns it after a reload. */
export interface GraphSubject {
  readonly connectionId: string;
  readonly workflowId: string;
  /** null: the execution that the workflow's definition shows. */
  readonly executionId: string | null;
  readonly nodeId: string | null;
  readonly nodeRunKey: string | null;
}

export interface PageNode {
  readonly id: string;
  readonly name: string;
  /** Empty if the definition doesn't say. */
  readonly type: string;
  /** The loop whose body the node is in; null outside loops. */
  readonly loop: string | null;
}

export interface GraphEdge {
  readonly source: string;
  readonly target: string;
  /** Empty for an edge without a branch. */
  readonly branch: string;
}

/** A node run that failed and was handled is neither a success nor what ended the execution. */
export type LookState = RunState | 'handled';

/** How a node went in the execution that is shown. */
export interface NodeLook {
  readonly id: string;
  /** null: it hasn't run. */
  readonly state: LookState | null;
  /** "completed · ×3 · 1.2 s". */
  readonly detail: string;
  /** What is read out after what is seen: "trigger", or why it failed. */
  readonly aloud: string;
  /** True if the node has runs that can be opened. */
  readonly hasRuns: boolean;
  /** Its detail says that its only run took its result from a record or a pin, so it's dimmed. */
  readonly isDimmed: boolean;
}

/** "plain": not known, or no execution is shown. */
export type EdgeLook = 'plain' | 'taken' | 'notTaken';

/** A range of time, in epoch milliseconds. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  /** It goes on, so it reaches to the end of the scale. */
  readonly isOpen: boolean;
  readonly state: LookState;
  /** "work": nodes run, "wait": nothing but time passes, "earlier": an attempt that another one followed. */
  readonly kind: 'work' | 'wait' | 'earlier';
  /** What it stands for: "Iteration 3, attempt 2: failed, 1.2 s". */
  readonly label: string;
  /** The node run to open; null for several. */
  readonly nodeRunKey: string | null;
  /** Its label says that the run took its result from a record or a pin, so it's dimmed. */
  readonly isDimmed: boolean;
}

/** One line of the timeline: the runs of a node. */
export interface Lane {
  /** The node's id; empty for the time in the queue. */
  readonly id: string;
  readonly name: string;
  /** How long its runs took, or that its only run took its result from a record or a pin. */
  readonly detail: string;
  /** What is read out after what is seen. */
  readonly aloud: string;
  readonly bars: readonly Bar[];
}

/** What is said of the execution above the graph. */
export interface RunHead {
  /** null: no execution is shown. */
  readonly state: RunState | null;
  /** "Latest execution 3f9a1c · completed · 3.2 s". */
  readonly text: string;
  /** What of the execution isn't shown; empty if all of it is. */
  readonly note: string;
  /** Whether another execution can be shown instead: the latest. */
  readonly isLatest: boolean;
  /** The scale of the timeline in epoch milliseconds; null while no times are known. */
  readonly scale: { readonly from: number; readonly to: number } | null;
  /** The time goes on. */
  readonly isLive: boolean;
  /** There's an execution to step through. */
  readonly canDebug: boolean;
  /** From where it failed or was cancelled. */
  readonly canRetry: boolean;
  /** From any node that ran. */
  readonly canRetryFromNode: boolean;
}

/** No execution is shown. */
export const noRun: RunHead = {
  state: null,
  text: '',
  note: '',
  isLatest: true,
  scale: null,
  isLive: false,
  canDebug: false,
  canRetry: false,
  canRetryFromNode: false,
};

/** The words of the page itself. In "leadsTo" and "loopBody", {0} stands for names of nodes. */
export type PageTexts = Readonly<
  Record<
    | 'graph'
    | 'timeline'
    | 'zoomIn'
    | 'zoomOut'
    | 'fit'
    | 'openNodeRun'
    | 'reveal'
    | 'showLatest'
    | 'debug'
    | 'retry'
    | 'retryNode'
    | 'noTimes'
    | 'leadsTo'
    | 'loopBody'
    | 'help'
    | 'simplified',
    string
  >
>;

/** From the extension to the page. */
export type ToPage =
  /** There is nothing to draw; the text says why. */
  | { readonly kind: 'nothing'; readonly text: string }
  /** Another graph: what was drawn goes. */
  | {
      readonly kind: 'graph';
      readonly subject: GraphSubject;
      readonly title: string;
      readonly texts: PageTexts;
      readonly nodes: readonly PageNode[];
      readonly edges: readonly GraphEdge[];
    }
  /** What has changed since the last message of this kind; a member that is missing hasn't. */
  | {
      readonly kind: 'run';
      readonly head?: RunHead;
      readonly nodes?: readonly NodeLook[];
      /** By the index of the edge. */
      readonly edges?: readonly (readonly [index: number, look: EdgeLook])[];
      readonly lanes?: readonly Lane[];
      /** All lanes from top to bottom. */
      readonly laneOrder?: readonly string[];
    }
  | { readonly kind: 'select'; readonly subject: GraphSubject };

const id = v.pipe(v.string(), v.maxLength(1000));
const idOrNull = v.nullable(id);
const ShownSchema = v.object({ connectionId: id, workflowId: id, executionId: idOrNull });
const SubjectSchema = v.object({ ...ShownSchema.entries, nodeId: idOrNull, nodeRunKey: idOrNull });
const PageActionSchema = v.variant('kind', [
  /** nodeId null: nothing is selected any more. */
  v.object({ kind: v.literal('select'), nodeId: idOrNull, nodeRunKey: idOrNull }),
  /** Open the node run, or let the user choose one. */
  v.object({ kind: v.literal('open'), nodeId: id, nodeRunKey: idOrNull }),
  v.object({ kind: v.literal('reveal'), nodeId: id }),
  v.object({ kind: v.literal('showLatest') }),
  v.object({ kind: v.literal('debug') }),
  /** nodeId null: from where the execution failed or was cancelled. */
  v.object({ kind: v.literal('retry'), nodeId: idOrNull }),
]);
const FromPageSchema = v.variant('kind', [
  /** The page is loaded. `subject`: what it showed before it was loaded anew; null for what an earlier build kept in another form. */
  v.object({ kind: v.literal('ready'), subject: v.fallback(v.nullable(SubjectSchema), null) }),
  /** The user does something with what the page shows, which may be another thing by the time that this arrives. */
  v.object({ kind: v.literal('act'), shown: ShownSchema, action: PageActionSchema }),
]);

/** What the user does in the page. */
export type PageAction = v.InferOutput<typeof PageActionSchema>;

/** From the page to the extension. */
export type FromPage = v.InferOutput<typeof FromPageSchema>;

/** undefined for what no page of ours sends. */
export function decodeFromPage(value: unknown): FromPage | undefined {
  const decoded = v.safeParse(FromPageSchema, value);
  return decoded.success ? decoded.output : undefined;
}

const kindsToPage: ReadonlySet<unknown> = new Set<ToPage['kind']>(['nothing', 'graph', 'run', 'select']);

/** Only the extension can send to the page, and both come in one package, so the kind decides the rest. */
export function isToPage(value: unknown): value is ToPage {
  return typeof value === 'object' && value !== null && 'kind' in value && kindsToPage.has(value.kind);
}
