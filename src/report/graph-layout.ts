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

/** Place of a label beside its node: offsets in pixels, and the end of the text that is there. */
interface LabelPlace {
  readonly dx: number
  readonly dy: number
  readonly anchor: 'start' | 'middle' | 'end'
}

/** Sides of a node for its label, the best first. */
const SIDES: readonly LabelPlace[] = [
  { dx: 7, dy: 0, anchor: 'start' },
  { dx: -7, dy: 0, anchor: 'end' },
  { dx: 0, dy: -11, anchor: 'middle' },
  { dx: 0, dy: 11, anchor: 'middle' },
  { dx: 5, dy: -10, anchor: 'start' },
  { dx: 5, dy: 10, anchor: 'start' },
  { dx: -5, dy: -10, anchor: 'end' },
  { dx: -5, dy: 10, anchor: 'end' },
]

/** Size of a label at 11 pixels: mean width of a letter, half of its height. */
const LETTER = { width: 6.6, half: 6 }

interface Rectangle {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/**
 * Places labels one after the other, each on the side of its node where it covers least of the labels before it, of other nodes
 * and of the margin outside the box. `widths` are numbers of letters.
 */
export function placeLabels(
  points: readonly Point[],
  widths: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): LabelPlace[] {
  const nodes = points.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }))
  const taken: Rectangle[] = []
  return points.map((point, at) => {
    const found = SIDES.map((side) => {
      const area = areaOf(point, side, widths[at] * LETTER.width)
      const outside =
        (area.right - area.left) * 2 * LETTER.half -
        shared(area, { left: 0, right: width, top: 0, bottom: height })
      const covered = [...taken, ...nodes.filter((_, other) => other !== at)].reduce(
        (sum, one) => sum + shared(area, one),
        outside,
      )
      return { side, area, covered }
    })
    const best = found.reduce((least, one) => (one.covered < least.covered ? one : least))
    taken.push(best.area)
    return best.side
  })
}

function areaOf({ x, y }: Point, { dx, dy, anchor }: LabelPlace, width: number): Rectangle {
  const left = x + dx - (anchor === 'start' ? 0 : anchor === 'end' ? width : width / 2)
  return { left, right: left + width, top: y + dy - LETTER.half, bottom: y + dy + LETTER.half }
}

/** Area that two rectangles have in common. */
function shared(a: Rectangle, b: Rectangle): number {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return across > 0 && down > 0 ? across * down : 0
}

/** Maps the range of values to whole numbers from 0 to `size`. */
function scaleTo(values: readonly number[], size: number): (value: number) => number {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return (value) => Math.round(high > low ? ((value - low) / (high - low)) * size : size / 2)
}
