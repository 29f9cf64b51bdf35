import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chatModel } from '../../corpus/chat-model.ts'
import { UserError } from '../../errors.ts'
import type { CachedModel } from '../../models/completions/cached-model.ts'
import { type Chat, type GivenCompletion, withChats } from '../../models/completions/chat.ts'
import { recordingOf } from '../../models/completions/recording.ts'
import { parseCompletion, type StoredCompletion } from '../../models/completions/request.ts'
import { forOneQuery, messageOf } from '../../retrieve/run-step.ts'
import { wasStopped } from '../../stopping.ts'
import { writeWhole } from '../../store/write.ts'
import type { Progress } from '../../types.ts'
import type { OpenExperiment } from '../plan/open.ts'
import { adviceAfter, type Spending } from '../plan/spending.ts'
import { requireKeys, type Watch, watchModels } from '../plan/watched-models.ts'
import type { Session } from '../shard/session.ts'

export interface AnsweringOptions {
  readonly signal: AbortSignal
  readonly progress: Progress
  readonly clock: () => number
  readonly spending: Spending
}

/** Models of answerers and judges. */
export interface AskedModels {
  /** Opens the model with that name in the config. */
  open(name: string): Promise<CachedModel>
  readonly watch: Watch
}

/**
 * Runs `run` with models that may be asked, in this thread, and adds their completions to `answers.jsonl`. Null if it was
 * interrupted. Throws a UserError if a key or a recorded completion is missing, or the budget is used up: the message
 * then says what is `left`. Completions stay stored.
 */
export async function askModels<T>(
  { trials, store, folder }: Session,
  { experiment }: OpenExperiment,
  { signal, progress, spending }: AnsweringOptions,
  run: (models: AskedModels) => Promise<T>,
  left: () => string,
): Promise<T | null> {
  const models = new Map<string, CachedModel>()
  const begin = async () => requireKeys([...models.values()], experiment.modelLocations)
  const watch = watchModels({ signal, progress, spending, begin })
  async function open(name: string): Promise<CachedModel> {
    const model = await store.open(chatModel(trials[0].ranking.recipe, name))
    models.set(name, model)
    return watch.watched(model)
  }
  try {
    const result = await run({ open, watch })
    watch.keepFailures()
    addToRecording(folder, watch.completions.values())
    return result
  } catch (error) {
    if (wasStopped(signal)) return null
    const advice = adviceAfter(error)
    throw new UserError(`${(error as Error).message}; left undone: ${left()}. ${advice}`)
  }
}

/** Outcome for one query. Completions count also if it failed. */
type AskedOutcome<T> = { readonly completions: readonly GivenCompletion[] } & (
  | { readonly value: T }
  | { readonly failure: string }
)

/** Runs `ask` for one query, with a chat for each model. Throws an error that concerns all queries. */
export async function askForQuery<T>(
  watch: Watch,
  models: readonly (CachedModel | undefined)[],
  ask: (...chats: (Chat | undefined)[]) => T | Promise<T>,
): Promise<AskedOutcome<T>> {
  const completions: GivenCompletion[] = []
  const outcome = await forOneQuery(async () => withChats(models, ask, completions))
  if ('value' in outcome) return { value: outcome.value, completions }
  watch.throwIfEnded()
  return { failure: messageOf(outcome.error), completions }
}

/** Adds completions to those that the folder's recording holds, as from before the shards ran. */
function addToRecording(folder: string, completions: Iterable<StoredCompletion>): void {
  const file = join(folder, 'answers.jsonl')
  const before = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => parseCompletion(line, file))
    : []
  const all = recordingOf([...before, ...completions])
  if (all.completions > 0) writeWhole(file, all.text)
}
