// Moves and scales what is larger than the window onto it.
import { type Box, centerOf, type Point, type Size } from './geometry.ts';

/** Where the drawing lies in the window: its upper left corner in pixels, and its scale. */
export interface View extends Point {
  readonly scale: number;
}

const scales = { least: 0.1, most: 2 } as const;
/** Smaller text can't be read, so a larger graph is shown in part at first. */
const readableScale = 0.8;
/** What is shown in part only can as well be read with ease. */
const partScale = 0.9;
const edge = 12;

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** The whole drawing, centered; not larger than it is. */
export function fitView(drawing: Size, window: Size): View {
  const scale = clamp(
    Math.min(window.width / Math.max(1, drawing.width), window.height / Math.max(1, drawing.height)),
    scales.least,
    1,
  );
  return {
    scale,
    x: Math.max(0, (window.width - drawing.width * scale) / 2),
    y: Math.max(0, (window.height - drawing.height * scale) / 2),
  };
}

/** The whole drawing if it can be read then; else its beginning. */
export function firstView(drawing: Size, window: Size): View {
  const whole = fitView(drawing, window);
  if (whole.scale >= readableScale) return whole;
  const scale = partScale;
  const center = (length: number, room: number): number => Math.max(0, (room - length * scale) / 2);
  return { scale, x: center(drawing.width, window.width), y: center(drawing.height, window.height) };
}

/** Scales by a factor and keeps the point of the window where it is. */
export function zoomView(view: View, factor: number, at: Point): View {
  const scale = clamp(view.scale * factor, scales.least, scales.most);
  const ratio = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/** The middle of the box in the window; undefined if that's out of sight. */
function centerInSight(view: View, box: Box, window: Size): Point | undefined {
  const center = centerOf(box);
  const x = view.x + center.x * view.scale;
  const y = view.y + center.y * view.scale;
  return x >= 0 && x <= window.width && y >= 0 && y <= window.height ? { x, y } : undefined;
}

/** Moves as little as it takes to bring the box into the window. */
export function revealBox(view: View, box: Box, window: Size): View {
  const move = (from: number, length: number, room: number): number => {
    if (from < edge) return edge - from;
    const beyond = from + length - (room - edge);
    return beyond > 0 ? -Math.min(beyond, from - edge) : 0;
  };
  const { scale } = view;
  return {
    scale,
    x: view.x + move(view.x + box.x * scale, box.width * scale, window.width),
    y: view.y + move(view.y + box.y * scale, box.height * scale, window.height),
  };
}

/** Scales by a factor and keeps the box in the window if its middle is there; else scales about the window's middle. */
export function zoomAbout(view: View, factor: number, box: Box | undefined, window: Size): View {
  const center = box && centerInSight(view, box, window);
  if (box === undefined || center === undefined)
    return zoomView(view, factor, { x: window.width / 2, y: window.height / 2 });
  return revealBox(zoomView(view, factor, center), box, window);
}

/** Keeps a part of the drawing in the window. */
export function holdView(view: View, drawing: Size, window: Size): View {
  const hold = (at: number, length: number, room: number): number => {
    const kept = Math.min(80, length * view.scale, room);
    return clamp(at, kept - length * view.scale, room - kept);
  };
  return {
    scale: view.scale,
    x: hold(view.x, drawing.width, window.width),
    y: hold(view.y, drawing.height, window.height),
  };
}
