// The package's own types import files without their endings, which Node's way of resolving doesn't find. What is used here:
declare module '@dagrejs/dagre' {
  interface Point {
    readonly x: number;
    readonly y: number;
  }

  interface GraphOptions {
    readonly rankdir: 'LR' | 'TB';
    readonly ranker: 'network-simplex' | 'tight-tree' | 'longest-path';
    /** In pixels: between nodes of a layer, between lines, and between layers. */
    readonly nodesep: number;
    readonly edgesep: number;
    readonly ranksep: number;
  }

  interface Size {
    readonly width: number;
    readonly height: number;
  }

  /** What `layout` adds is missing before. */
  export class Graph {
    constructor(options: { readonly multigraph: boolean });
    setGraph(options: GraphOptions): this;
    /** The size of the drawing. */
    graph(): Partial<Size>;
    setNode(name: string, size: { width: number; height: number }): this;
    /** The center of the node. */
    node(name: string): Partial<Point>;
    setEdge(
      source: string,
      target: string,
      label: { width: number; height: number; labelpos: 'l' | 'c' | 'r' },
      name: string,
    ): this;
    edge(
      source: string,
      target: string,
      name: string,
    ): Partial<Point> & { readonly points?: readonly Point[] };
  }

  /** Changes the graph. */
  export function layout(graph: Graph): void;
}
