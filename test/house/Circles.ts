/** Circles in a graph: the sets of nodes that reach each other (Tarjan's strongly connected components). */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

export const circlesOf = (graph: Graph): ReadonlyArray<ReadonlyArray<string>> => {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: Array<string> = []
  const circles: Array<ReadonlyArray<string>> = []

  const close = (node: string): void => {
    const circle = stack.splice(stack.indexOf(node))
    if (circle.length > 1) circles.push(circle.sort())
  }

  const visit = (node: string): number => {
    order.set(node, order.size)
    let low = order.get(node)!
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next)!)
    }
    lowest.set(node, low)
    if (low === order.get(node)) close(node)
    return low
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles
}
