import type { Rule, Rules } from './rules.ts'

export interface Route {
  readonly arm: string
  /** The rule that fired: its name, or its place from 1; `otherwise` where none did. */
  readonly rule: string
  /** What in the query made it fire, in words. */
  readonly because: string
}

/** Chooses the arm for a query: the first rule whose conditions all hold, else `otherwise`. */
export function route(text: string, { rules, otherwise }: Rules): Route {
  for (const [place, rule] of rules.entries()) {
    const because = reasons(text, rule)
    if (because) return { arm: rule.arm, rule: rule.name ?? `rule ${place + 1}`, because: because.join(', ') }
  }
  return { arm: otherwise, rule: 'otherwise', because: 'no rule holds' }
}

/** Why the rule's conditions hold, or undefined where one does not. */
function reasons(text: string, { any, capitalised, pattern }: Rule): string[] | undefined {
  const found: string[] = []
  if (any) {
    const phrase = any.find((one) => beginsIn(text, one))
    if (phrase === undefined) return undefined
    found.push(`it says "${phrase}"`)
  }
  if (capitalised !== undefined) {
    const words = text.split(/\s+/).filter((word) => /^\p{Lu}/u.test(word))
    if (words.length < capitalised) return undefined
    found.push(`${words.length} words begin with a capital letter: ${words.join(', ')}`)
  }
  if (pattern !== undefined) {
    const match = new RegExp(pattern, 'iu').exec(text)
    if (!match) return undefined
    found.push(`"${match[0]}" matches ${pattern}`)
  }
  return found
}

/** Whether a phrase begins at the beginning of a word: `link` in "linked", not in "blink". */
function beginsIn(text: string, phrase: string): boolean {
  const lower = text.toLowerCase()
  const wanted = phrase.toLowerCase()
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(lower[at - 1])) return true
  return false
}
