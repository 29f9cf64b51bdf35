import { UndirectedGraph } from 'graphology'
import layout from 'graphology-layout-forceatlas2'
import type { GraphPart } from '../results/graphs.ts'

/** The package is CommonJS, and its types name a default export that it lacks. */
const forceAtlas2 = layout as unknown as typeof layout.default

/** Steps of the layout: pictures are small, and it has settled long before. */
const STEPS = 300

export interface Point {
  readonly x: number
  readonly y: number
}

/**
 * Places of a picture's nodes in a box, by ForceAtlas2 from a fixed spiral: equal pictures have equal places.
 * Jacomy et al., ForceAtlas2 (PLoS ONE 2014).
 */
export function placeNodes(
  { nodes, edges }: Pick<GraphPart, 'nodes' | 'edges'>,
  { width, height }: { readonly width: number; readonly height: number },
): Point[] {
  const graph = new UndirectedGraph()
  const golden = Math.PI * (3 - Math.sqrt(5))
  nodes.forEach((_, at) => {
    graph.addNode(at, { x: Math.sqrt(at) * Math.cos(golden * at), y: Math.sqrt(at) * Math.sin(golden * at) })
  })
  for (const { ends } of edges) graph.mergeEdge(...ends)
  const settings = { gravity: 0.05, strongGravityMode: true, scalingRatio: 10 }
  const found = forceAtlas2(graph, { iterations: STEPS, settings })
  const points = nodes.map((_, at) => found[at] as Point)
  const across = scaleTo(
    points.map(({ x }) => x),
    width,
  )
  const down = scaleTo(
    points.map(({ y }) => y),
    height,
  )
  return points.map(({ x, y }) => ({ x: across(x), y: down(y) }))
}

/** Maps the range of values to whole numbers from 0 to `size`. */
function scaleTo(values: readonly number[], size: number): (value: number) => number {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return (value) => Math.round(high > low ? ((value - low) / (high - low)) * size : size / 2)
}
