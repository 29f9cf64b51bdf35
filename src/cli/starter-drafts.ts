import { UserError } from '../errors.ts'
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

/** Questions that the model of a written config drafts, as lines of its questions file; null without any. `said` says which. */
export async function draftStarter(
  config: string,
  { folder, env, err, progress }: Io,
  signal: AbortSignal,
): Promise<{ readonly lines: string | null; readonly said: string }> {
  try {
    const { drafts, lines } = await draftQuestions(
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
    const said = `questions: ${plural(drafts.length, 'question')} drafted and checked by the model; read them, and delete the poor ones`
    return { lines, said }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { lines: null, said: `questions: the model drafted none: ${error.message}` }
  }
}
