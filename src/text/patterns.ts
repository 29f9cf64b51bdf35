import { RE2JS } from 're2js'
import { z } from 'zod'

/**
 * People's regular expressions, in RE2's syntax: JavaScript's without look-around and back-references. Its time grows
 * with the text's length and never beyond, whatever the pattern.
 */
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

/** What in the text matches, in order, without regard to case. Empty matches are none. */
export function matchesOf(source: string, text: string): string[] {
  const found: string[] = []
  const matcher = compile(source).matcher(text)
  while (matcher.find()) found.push(matcher.group() as string)
  return found.filter((match) => match !== '')
}

function compile(source: string) {
  return RE2JS.compile(RE2JS.translateRegExp(source), RE2JS.CASE_INSENSITIVE)
}
