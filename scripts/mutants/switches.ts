import { parseSync } from 'oxc-parser'
import type { Mutant } from './plant.ts'

/** A mutant with its number among all mutants. */
export interface Numbered extends Mutant {
  readonly id: number
}

interface Place {
  readonly start: number
  readonly end: number
  readonly mutants: Numbered[]
  readonly inner: Place[]
}

/**
 * The source with every mutant in it at once: `$mutant(id)` tells at run time if a mutant is the planted one. Mutants that cannot
 * be chosen by an expression are left out.
 */
export function withSwitches(file: string, source: string, mutants: readonly Numbered[]): string {
  const places = placesOf(source, mutants)
  // A line that begins with a parenthesis would call the line before it.
  const statements = statementsOf(file, source)
  const render = (start: number, end: number, inner: readonly Place[]): string => {
    let [text, at] = ['', start]
    for (const place of inner) {
      text += source.slice(at, place.start)
      at = place.end
      const isName = /^\??\./.test(source.slice(place.start))
      const original = isName ? '' : render(place.start, place.end, place.inner)
      if (statements.includes(place.start)) text += 'void 0, '
      text += isName ? nameOf(source, place) : choiceOf(place, original)
    }
    return text + source.slice(at, end)
  }
  return render(0, source.length, places)
}

const test = ({ id }: Numbered) => `globalThis.$mutant(${id})`
const choiceOf = ({ mutants }: Place, original: string) =>
  `(${mutants.map((one) => `${test(one)} ? (${one.after}) : `).join('')}(${original}))`
function nameOf(source: string, { start, end, mutants }: Place): string {
  const text = source.slice(start, end)
  const [dot] = /^\??\./.exec(text) as RegExpExecArray
  const names = mutants.map((one) => `${test(one)} ? '${one.after}' : `).join('')
  return `${dot === '.' ? '' : dot}[${names}'${text.slice(dot.length)}']`
}

/** Places of mutants, each with those inside it. */
function placesOf(source: string, mutants: readonly Numbered[]): Place[] {
  const top: Place = { start: 0, end: source.length, mutants: [], inner: [] }
  const sorted = mutants
    .filter(({ isFixed }) => !isFixed)
    .map((one) => (one.kind === 'method' ? { ...one, start: dotBefore(source, one.start) } : one))
    .sort((a, b) => a.start - b.start || b.end - a.end)
  const open = [top]
  for (const one of sorted) {
    while ((open.at(-1) as Place).end < one.end) open.pop()
    const last = open.at(-1) as Place
    if (last !== top && last.start === one.start && last.end === one.end) last.mutants.push(one)
    else {
      const place = { start: one.start, end: one.end, mutants: [one], inner: [] }
      last.inner.push(place)
      open.push(place)
    }
  }
  return top.inner
}

function dotBefore(source: string, at: number): number {
  const dot = source.lastIndexOf('.', at)
  return source[dot - 1] === '?' ? dot - 1 : dot
}

/** Starts of the statements that are expressions. */
function statementsOf(file: string, source: string): number[] {
  const starts: number[] = []
  const visit = (node: { type: string; start: number; directive?: unknown }): void => {
    if (node.type === 'ExpressionStatement' && !node.directive) starts.push(node.start)
    for (const value of Object.values(node).flat())
      if (typeof (value as typeof node | null)?.type === 'string') visit(value as typeof node)
  }
  visit(parseSync(file, source).program as never)
  return starts
}
