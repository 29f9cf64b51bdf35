import { type AskedTrials, changeOf } from '../library/asked-types.ts'
import { plural, quantity } from '../report/numbers.ts'
import { oneLine } from '../report/terminal.ts'

/** Rankings of two or three trials side by side: a letter for each trial, then each passage with its ranks. */
export function askedTrialsText({ passages, trials }: AskedTrials, withScores: boolean): string {
  const letterOf = (at: number) => String.fromCharCode(65 + at)
  const lines = trials.flatMap(
    ({ trial, failed, milliseconds, tokens, steps, counters, notes, hits }, at) => {
      const head = `${letterOf(at)}  ${trial}`
      if (failed !== null) return [head, `   failed: ${oneLine(failed)}`]
      return [
        head,
        `   ${milliseconds.toFixed(2)} ms, ${plural(hits.length, 'passage')}, ${quantity(tokens)} tokens`,
        ...steps.map(
          ({ step, milliseconds }) => `   ${step.padEnd(24)}${milliseconds.toFixed(2).padStart(10)} ms`,
        ),
        ...Object.entries(counters).map(
          ([name, count]) => `   ${name.padEnd(24)}${String(count).padStart(10)}`,
        ),
        ...notes.map(([name, text]) => `   ${name}: ${oneLine(text)}`),
      ]
    },
  )
  const width = 9
  const cells = (texts: readonly string[]) => texts.map((text) => text.padEnd(width)).join('')
  lines.push(
    '',
    passages.length === 0 ? 'nothing was found' : cells(trials.map((_, at) => letterOf(at))).trimEnd(),
  )
  for (const [place, { id, title, text, words, tokens }] of passages.entries()) {
    const ranks = trials.map(({ hits }) => hits.findIndex(({ passage }) => passage === place))
    const shown = ranks.map((at, trial) =>
      at < 0 ? '–' : `${at + 1} ${changeOf(trials[trial].hits[at], at + 1)}`.trimEnd(),
    )
    lines.push(
      `${cells(shown)}${oneLine(title || id)}  (${oneLine(id)}, ${quantity(tokens)} tokens)`,
      `   words: ${words.length > 0 ? words.join(', ') : 'none'}`,
    )
    if (withScores)
      for (const [trial, at] of ranks.entries())
        for (const { step, rank, score } of trials[trial].hits[at]?.ranked ?? [])
          lines.push(
            `   ${letterOf(trial)} ${step.padEnd(24)}rank ${String(rank).padStart(4)}  ${score.toPrecision(4)}`,
          )
    lines.push(`   ${oneLine(text)}`)
  }
  return lines.join('\n')
}
