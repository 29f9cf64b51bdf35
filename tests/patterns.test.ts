import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Its texts are cut to 1,000 characters. */
const BOUNDED = 'text/plain-heading.ts'
const LENGTH = 20_000
/** Milliseconds; a linear pattern takes less than one. */
const LONGEST = 100

const src = join(import.meta.dirname, '../src')
const RUNS = ' |\n|\t|[|(|{|<|`|*|"|\'|_|-|#|/|\\|=|:|.|a|A|0|ا|漢|![|``` |<a |\n '
  .split('|')
  .concat('|', '||')

function patternsIn(file: string): { readonly line: number; readonly pattern: RegExp }[] {
  const text = readFileSync(join(src, file), 'utf8')
  const patterns: { readonly line: number; readonly pattern: RegExp }[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { regex, start } = node as { regex?: { pattern: string; flags: string }; start: number }
    if (regex)
      patterns.push({
        line: text.slice(0, start).split('\n').length,
        pattern: new RegExp(regex.pattern, regex.flags),
      })
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, text).program)
  return patterns
}

function millisecondsOf(pattern: RegExp, text: string): number {
  const begin = performance.now()
  pattern.lastIndex = 0
  if (pattern.global) text.replace(pattern, '')
  else pattern.exec(text)
  return performance.now() - begin
}

test('no pattern takes quadratic time on a long run of one sign', { timeout: 120_000 }, () => {
  const slow: string[] = []
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && file !== BOUNDED,
  )
  for (const file of files)
    for (const { line, pattern } of patternsIn(file)) {
      const [word = ''] = /^\^?([\w<[({`*"-]+)/.exec(pattern.source)?.slice(1) ?? []
      // The last sign makes the text one of two bytes a letter, which no pattern of such letters rules out at once.
      const texts = RUNS.flatMap((run) =>
        ['', 'a', word].map((head) => `${head}${run.repeat(LENGTH / run.length)}\ufffd`),
      )
      // A busy machine may stop this process several times.
      const isSlow = (one: string) =>
        Array.from({ length: 5 }).every(() => millisecondsOf(pattern, one) > LONGEST)
      const text = texts.find(isSlow)
      if (text !== undefined) slow.push(`${file}:${line}: ${JSON.stringify(text.slice(0, 8))}`)
    }
  expect(slow).toEqual([])
})
