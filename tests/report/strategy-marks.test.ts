import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FIXED, marksOf, SHAPES } from '../../src/report/charts/strategy-marks.ts'

/** Those that reports mostly compare. */
const builtIn = FIXED

describe('marks of strategies', () => {
  test('the usual ones look alike in every report', () => {
    const all = marksOf(builtIn)
    for (const name of builtIn) {
      expect(marksOf([name]).get(name)).toEqual(all.get(name))
      expect(marksOf(['./mine.mjs', name, 'a run']).get(name)).toEqual(all.get(name))
    }
  })

  test('those of custom strategies stay as they are from version to version', () => {
    const hues = (names: string[]) => names.map((name) => marksOf([name]).get(name)?.hue)
    expect(hues(['mine', 'ours', 'a run', 'bm25s', 'colbert', 'dpr', 'é'])).toEqual([
      12, 11, 12, 12, 10, 12, 12,
    ])
  })

  test('no two look alike, and no two share a colour while there are hues', () => {
    const names = fc.uniqueArray(fc.oneof(fc.constantFrom(...builtIn), fc.string({ maxLength: 12 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(names, (list) => {
        const marks = [...marksOf(list).values()]
        expect(marks).toHaveLength(list.length)
        expect(new Set(marks.map(({ hue, shape }) => `${hue} ${shape.vega}`)).size).toBe(list.length)
        if (list.length <= SHAPES.length) expect(new Set(marks.map(({ hue }) => hue)).size).toBe(list.length)
        expect([...marksOf([...list].reverse())].sort()).toEqual([...marksOf(list)].sort())
      }),
    )
  })
})

type Triple = readonly [number, number, number]

/** What readers without red or green cones see: Machado, Oliveira and Fernandes 2009, severity 1. */
const SEEN: Readonly<Record<string, readonly Triple[]>> = {
  'all colours': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no red': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no green': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
}

const times = (matrix: readonly Triple[], by: Triple) =>
  matrix.map((row) => row[0] * by[0] + row[1] * by[1] + row[2] * by[2]) as unknown as Triple

function linear(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as unknown as Triple
}

/** Oklab: equal distances look about equally far apart. */
function oklab(rgb: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb.map((value) => Math.min(1, Math.max(0, value))) as unknown as Triple,
  )
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones.map(Math.cbrt) as unknown as Triple,
  )
}

const css = readFileSync(join(import.meta.dirname, '../../src/report/style/colours.css'), 'utf8')

describe.each([
  ['light', css.split('@media')[0]],
  ['dark', css.split('@media')[1]],
])('hues, %s', (_, text) => {
  const hues = [...text.matchAll(/--hue-\d+: (#[0-9a-f]{6})/g)].map(([, hex]) => hex)

  test.each(Object.entries(SEEN))('are apart for readers who see %s', (_, seen) => {
    const colours = hues.map((hue) => oklab(times(seen, linear(hue))))
    colours.forEach((one, place) => {
      for (const other of colours.slice(0, place))
        expect(Math.hypot(...one.map((value, at) => value - other[at]))).toBeGreaterThan(0.09)
    })
  })
})
