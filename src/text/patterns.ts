import { createRequire } from 'node:module'
import { z } from 'zod'

const require = createRequire(import.meta.url)

/** People's regular expressions in RE2's syntax, without look-around and back-references: linear in the text's length. */
export const pattern = z
  .string()
  .min(1)
  .max(1000)
  .superRefine((source, context) => {
    try {
      compile(source)
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : error
      const message = `is not a regular expression (look-around and back-references are not known): ${reason}`
      context.addIssue({ code: 'custom', message })
    }
  })

export function matchesOf(source: string, text: string): string[] {
  return createPattern(source)
    .matches(text)
    .map(({ match }) => match)
}

interface Match {
  readonly match: string
  readonly group?: string
  readonly start: number
}

export interface Pattern {
  readonly groups: number
  isIn(text: string): boolean
  matches(text: string): Match[]
}

export function createPattern(source: string): Pattern {
  const compiled = compile(source)
  const groups = compiled.groupCount()
  return {
    groups,
    isIn: (text) => compiled.matcher(text).find(),
    matches(text) {
      const matches: Match[] = []
      const matcher = compiled.matcher(text)
      while (matcher.find()) {
        const match = matcher.group() as string
        const group = groups > 0 ? (matcher.group(1) ?? undefined) : undefined
        if (match !== '')
          matches.push({ match, ...(group !== undefined && { group }), start: matcher.start() })
      }
      return matches
    },
  }
}

function compile(source: string) {
  // Loaded at the first pattern, since few configs have one.
  const { RE2JS } = require('re2js') as typeof import('re2js')
  return RE2JS.compile(RE2JS.translateRegExp(source), RE2JS.CASE_INSENSITIVE)
}
