/** Finds one cycle in a directed graph, as its edges in order; undefined where there is none. */
export function findCycle<Edge>(graph: ReadonlyMap<string, ReadonlyMap<string, Edge>>): Edge[] | undefined {
  const done = new Set<string>();
  const path: { node: string; edge: Edge | undefined }[] = [];

  function visit(node: string, edge: Edge | undefined): Edge[] | undefined {
    const at = path.findIndex((step) => step.node === node);
    if (at >= 0)
      return [...path.slice(at + 1).map((step) => step.edge), edge].filter((one) => one !== undefined);
    if (done.has(node)) return undefined;
    path.push({ node, edge });
    for (const [next, through] of graph.get(node) ?? []) {
      const cycle = visit(next, through);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(node);
    return undefined;
  }

  for (const node of graph.keys()) {
    const cycle = visit(node, undefined);
    if (cycle) return cycle;
  }
  return undefined;
}
