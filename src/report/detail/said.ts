import type { Results } from '../../results/read.ts'
import { type Block, jsonBlock } from './encode.ts'

/** Counters that the page shows elsewhere: where gold was found, and how much was retrieved. */
const ELSEWHERE = /^(gold: |retrieved$)/

/**
 * Counters and notes of the listed trials' steps, one cell per (list, query). `counted` alternates indexes of `names` and
 * numbers; `noted` alternates indexes of `names` and `texts`. Texts are cut at `max` characters.
 */
export function packSaid({ diagnostics, queries }: Results, lists: readonly number[], max: number): Block {
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
  return jsonBlock({ names: names.used, texts: texts.used.map((text) => cut(text, max)), counted, noted })
}

/** The words that are used, each with its place among them. */
function placesOf(words: readonly string[]) {
  const used: string[] = []
  const places = new Map<number, number>()
  return {
    used,
    place(code: number): number {
      const known = places.get(code)
      if (known !== undefined) return known
      places.set(code, used.length)
      return used.push(words[code]) - 1
    },
  }
}

export function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : text
}
