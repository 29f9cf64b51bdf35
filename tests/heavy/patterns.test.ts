import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Its texts are cut to 1,000 characters. */
const BOUNDED = 'text/plain-heading.ts'
const LENGTH = 80_000

const src = join(import.meta.dirname, '../../src')
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

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && file !== BOUNDED && patternsIn(file).length > 0,
)

// Linear patterns take less than a second for a file, a quadratic one five seconds for each of a dozen texts.
test.each(files)(
  '%s: no pattern takes quadratic time on a long run of one sign',
  { timeout: 8_000 },
  (file) => {
    for (const { line, pattern } of patternsIn(file)) {
      const [word = ''] = /^\^?([\w<[({`*"-]+)/.exec(pattern.source)?.slice(1) ?? []
      for (const run of RUNS)
        for (const head of ['', 'a', word]) {
          // The last sign makes the text one of two bytes a letter, which no pattern of such letters rules out at once.
          const text = `${head}${run.repeat(LENGTH / run.length)}\ufffd`
          pattern.lastIndex = 0
          expect(
            pattern.global ? text.replace(pattern, '') : pattern.test(text),
            `line ${line}`,
          ).toBeDefined()
        }
    }
  },
)
