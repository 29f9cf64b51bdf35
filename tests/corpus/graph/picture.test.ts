import { expect, test } from 'vitest'
import { buildCsr } from '../../../src/corpus/graph/csr.ts'
import type { Graph } from '../../../src/corpus/graph/graph.ts'
import { pictureOf } from '../../../src/corpus/graph/picture.ts'
import { placeLabels, placeNodes } from '../../../src/report/graph-layout.ts'

/** Hub 0 with leaves 5 to 9, and a way 0-1-2-3; 4 is alone. */
const EDGES = [[0, 1], [1, 2], [2, 3], ...[5, 6, 7, 8, 9].map((leaf) => [0, leaf] as const)] as const

function graphOf(): Graph {
  const { csr } = buildCsr(10, { sources: EDGES.map(([a]) => a), targets: EDGES.map(([, b]) => b) })
  const degrees = csr.offsets.slice(1).map((end, row) => end - csr.offsets[row])
  const names = Array.from({ length: 10 }, (_, row) => String(row))
  return { csr, entities: { names, degrees } } as unknown as Graph
}

const names = ({ nodes }: ReturnType<typeof pictureOf>) => nodes.map(({ name }) => name).join(' ')

test('a picture has the shortest way to a goal first, then neighbours, and says how many it leaves out', () => {
  const picture = pictureOf(graphOf(), { starts: [0], goals: [new Set([3, 4])], paths: [] }, 6)
  expect(names(picture)).toBe('0 1 2 3 5 6')
  expect(picture.nodes.filter(({ goal }) => goal)).toEqual([{ name: '3', start: false, goal: true }])
  expect(picture.omitted).toBe(3)
  expect(picture.edges.map(({ ends }) => ends)).toEqual([
    [0, 1],
    [0, 4],
    [0, 5],
    [1, 2],
    [2, 3],
  ])
})

test('entities that several paths share take one place', () => {
  const paths = Array.from({ length: 5 }, () => [0, 5, 0, 6])
  expect(names(pictureOf(graphOf(), { starts: [0], goals: [new Set([3])], paths }, 6))).toBe('0 5 6 1 2 3')
})

test('a goal out of reach has no way; a path marks its edges in both directions', () => {
  const picture = pictureOf(graphOf(), { starts: [5], goals: [new Set([4])], paths: [[1, 0, 5]] }, 9)
  expect(names(picture)).toBe('5 1 0')
  expect(picture.edges.every(({ walked }) => walked)).toBe(true)
  expect(picture.nodes.every(({ goal }) => !goal)).toBe(true)
})

test('equal pictures have equal places, all within the box and apart', () => {
  const picture = pictureOf(graphOf(), { starts: [0], goals: [], paths: [] }, 8)
  const box = { width: 300, height: 200 }
  const points = placeNodes(picture, box)
  expect(placeNodes(picture, box)).toEqual(points)
  for (const { x, y } of points) {
    expect(x >= 0 && x <= 300 && y >= 0 && y <= 200).toBe(true)
  }
  expect(new Set(points.map(({ x, y }) => `${x} ${y}`)).size).toBe(points.length)
})

test('a picture of one entity is in the middle', () => {
  expect(
    placeNodes({ nodes: [{ name: 'a', start: true, goal: false }], edges: [] }, { width: 10, height: 6 }),
  ).toEqual([{ x: 5, y: 3 }])
})

test('labels stand where they cover neither each other nor nodes, nor leave the box', () => {
  const points = [
    { x: 100, y: 50 },
    { x: 140, y: 50 },
    { x: 290, y: 50 },
    { x: 100, y: 62 },
  ]
  const places = placeLabels(points, [10, 10, 10, 3], { width: 300, height: 100 })
  expect(places.map(({ dx, dy, anchor }) => [dx, dy, anchor])).toEqual([
    // A node to the right; free to the right; the box ends to the right, and another label does not reach the left.
    [-7, 0, 'end'],
    [7, 0, 'start'],
    [-7, 0, 'end'],
    [7, 0, 'start'],
  ])
})

test('labels of a dense row move to the corners of their nodes', () => {
  const points = [100, 120, 140, 160, 180].map((x) => ({ x, y: 50 }))
  const places = placeLabels(points, [10, 10, 10, 10, 10], { width: 300, height: 100 })
  expect(places.slice(3)).toEqual([
    { dx: 5, dy: -10, anchor: 'start' },
    { dx: 5, dy: 10, anchor: 'start' },
  ])
})

test('a step of a path that is no relationship is drawn too', () => {
  const picture = pictureOf(graphOf(), { starts: [4], goals: [], paths: [[4, 1, 2]] }, 6)
  expect(names(picture)).toBe('4 1 2')
  expect(picture.edges).toEqual([
    { ends: [1, 2], walked: true },
    { ends: [0, 1], walked: true },
  ])
})
