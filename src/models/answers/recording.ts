import { existsSync, readFileSync } from 'node:fs'
import { UserError } from '../../errors.ts'
import { sha256 } from '../../store/hash.ts'
import type { OutputKind } from '../../store/output.ts'
import { type Answered, formatAnswered, parseAnswered } from './question.ts'

/** Answers in one file, one a line, sorted by key: the same answers give the same bytes, whoever asked in what order. */
export interface Recording {
  readonly text: string
  readonly sha256: string
  readonly answers: number
}

/** A file of recorded answers, by its first line. */
export const RECORDING: OutputKind = {
  name: 'a file of recorded answers',
  isOwn: (beginning) => /^\{"key":"[0-9a-f]{32}","question":\{/.test(beginning),
}

/** Throws a UserError if `file` holds recorded answers outside of `keys`: replacing it would lose what was paid for. */
export function requireAnswersIn(file: string, keys: ReadonlySet<string>): void {
  if (!existsSync(file)) return
  const lost = [...readRecording(file).keys()].filter((key) => !keys.has(key)).length
  if (lost > 0)
    throw new UserError({
      file,
      message: `holds ${lost} recorded answers that would be lost; name another file`,
    })
}

export function recordingOf(answers: Iterable<Answered>): Recording {
  const byKey = new Map([...answers].map((one) => [one.key, one]))
  const lines = [...byKey.keys()].sort().map((key) => `${formatAnswered(byKey.get(key) as Answered)}\n`)
  const text = lines.join('')
  return { text, sha256: sha256(text), answers: lines.length }
}

/** Reads a recording. Throws a UserError with every line that is no answer. */
export function readRecording(file: string): ReadonlyMap<string, Answered> {
  const mistakes: UserError[] = []
  const answers = new Map<string, Answered>()
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    try {
      const one = parseAnswered(line, file, index + 1)
      answers.set(one.key, one)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      mistakes.push(error)
    }
  }
  if (mistakes.length > 0) throw new UserError(mistakes.flatMap((mistake) => mistake.mistakes))
  return answers
}
