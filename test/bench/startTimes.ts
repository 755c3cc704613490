// What the bench of activation and its probe inside VS Code tell each other.
import * as v from 'valibot';

/** An extension that is measured, and its first view if it has one. */
const Peer = v.object({
  id: v.string(),
  view: v.optional(v.object({ container: v.string(), id: v.string() })),
});
export type Peer = v.InferOutput<typeof Peer>;
export const Peers = v.array(Peer);

/** In ms; `processor` is what the whole host used meanwhile. */
const Time = v.object({ elapsed: v.number(), processor: v.number() });
export type Time = v.InferOutput<typeof Time>;

/** By the extension's id. */
export const StartTimes = v.record(v.string(), v.object({ activation: Time, firstView: v.optional(Time) }));
export type StartTimes = v.InferOutput<typeof StartTimes>;
