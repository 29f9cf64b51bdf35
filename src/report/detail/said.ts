import type { Results } from '../../results/read.ts'
import { type Block, jsonBlock } from './encode.ts'

/** Counters that the page shows elsewhere: where gold was found, and how much was retrieved. */
const ELSEWHERE = /^(gold: |retrieved$)/

/**
 * What the steps of the listed trials counted and said of each query, a cell a (list, query): `counted` holds places in `names`
 * and numbers in turn, `noted` places in `names` and in `texts`. A text is cut at `most` characters.
 */
export function packSaid({ diagnostics, queries }: Results, lists: readonly number[], most: number): Block {
  const cells = lists.length * queries.id.length
  const counted = Array.from({ length: cells }, (): number[] => [])
  const noted = Array.from({ length: cells }, (): number[] => [])
  const index = new Map(lists.map((trial, at) => [trial, at]))
  const [names, texts] = [placesOf(diagnostics.name.words), placesOf(diagnostics.text.words)]
  for (let row = 0; row < diagnostics.rows; row++) {
    const list = index.get(diagnostics.trial[row])
    const name = diagnostics.name.codes[row]
    if (list === undefined || ELSEWHERE.test(diagnostics.name.words[name])) continue
    const cell = list * queries.id.length + diagnostics.query[row]
    const text = diagnostics.text.codes[row]
    if (text >= 0) noted[cell].push(names.place(name), texts.place(text))
    else counted[cell].push(names.place(name), diagnostics.value[row])
  }
  return jsonBlock({ names: names.kept, texts: texts.kept.map((text) => cut(text, most)), counted, noted })
}

/** The words that are used, each with its place among them. */
function placesOf(words: readonly string[]) {
  const kept: string[] = []
  const places = new Map<number, number>()
  return {
    kept,
    place(code: number): number {
      const known = places.get(code)
      if (known !== undefined) return known
      places.set(code, kept.length)
      return kept.push(words[code]) - 1
    },
  }
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text
}
