import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Triple = readonly [number, number, number]

/** Colours as seen without red or green cones: Machado, Oliveira and Fernandes 2009, severity 1. */
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
    colours.forEach((colour, place) => {
      for (const other of colours.slice(0, place))
        expect(Math.hypot(...colour.map((value, at) => value - other[at]))).toBeGreaterThan(0.09)
    })
  })
})
