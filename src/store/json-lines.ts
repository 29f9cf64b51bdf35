import { type Diagnostic, fewOfEachKind, UserError } from '../errors.ts'
import { parseJson } from '../text/json.ts'

/**
 * Calls `take` for the value of every line of a JSON Lines file that is not blank, with its number from 1. Lines that
 * are no JSON, and messages that `take` passes to `wrong`, become one UserError with the first few of each kind.
 */
export function eachJsonLine(
  file: string,
  text: string,
  take: (value: unknown, wrong: (message: string) => void, line: number) => void,
): void {
  const diagnostics: Diagnostic[] = []
  for (const [index, written] of text.split('\n').entries()) {
    if (written.trim() === '') continue
    const line = index + 1
    const wrong = (message: string) => void diagnostics.push({ file, line, message })
    const { value, diagnostic } = { value: undefined, ...parseJson(written) }
    if (diagnostic) wrong(diagnostic.message)
    else take(value, wrong, line)
  }
  if (diagnostics.length > 0) throw new UserError(fewOfEachKind(diagnostics))
}
