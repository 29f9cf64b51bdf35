import { draftQuestions } from '../library/draft-questions.ts'
import { MODEL_KINDS } from '../questions/draft.ts'
import { plural } from '../report/numbers.ts'
import { QUESTIONS } from './folder-starter.ts'
import type { Io } from './io.ts'

/** Name of the model in the config. */
const DRAFTER = 'drafter'

/** Config with the language model that drafts its questions: `openai/NAME`, or a map as in `models`. */
export function withDrafter(config: string, model: string): string {
  const [, provider, name] = /^([a-z-]+)\/(.+)$/.exec(model) ?? []
  const choice = provider === undefined ? model : JSON.stringify({ [provider]: { model: name } })
  return `${config}\nmodels:\n  ${DRAFTER}: ${choice} # drafted the questions\n`
}

/** Lines of a questions file that the model of a written config drafts, and their count in words. Throws a UserError without any. */
export async function draftStarter(
  config: string,
  { folder, env, err, progress }: Io,
  signal: AbortSignal,
): Promise<{ readonly lines: string; readonly said: string }> {
  const { drafts, lines, sheet } = await draftQuestions(
    { folder, env, err, progress },
    config,
    {
      model: DRAFTER,
      kinds: MODEL_KINDS,
      count: QUESTIONS,
      seed: 0,
      noArms: true,
      personas: [],
      signal,
      notice: err,
    },
    () => {},
  )
  const { candidates, reasons } = sheet
  const dropped = reasons.map(({ reason, questions }) => `\n  ${questions}: ${reason}`).join('')
  const said = `questions: ${plural(drafts.length, 'question')} drafted by the model; read them, and delete the poor ones`
  const lost =
    candidates.dropped === 0
      ? ''
      : `\n${candidates.dropped} of ${plural(candidates.examined, 'draft')} were dropped:${dropped}`
  return { lines: lines ?? '', said: `${said}${lost}` }
}
