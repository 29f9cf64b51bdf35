import { performance } from 'node:perf_hooks'
import { chatModel } from '../corpus/chat-model.ts'
import { watchModels } from '../experiment/plan/ask-ahead.ts'
import type { OpenExperiment } from '../experiment/plan/open.ts'
import { trackSpending } from '../experiment/plan/spending.ts'
import { type Chat, withChat } from '../models/completions/chat.ts'
import { forOneQuery, messageOf } from '../retrieve/run-step.ts'
import type { Progress } from '../types.ts'

/** Value of a task, or the reason why the model gave none. */
type Outcome<T> = { readonly value: T } | { readonly failed: string }

/**
 * Lets a model of a config do tasks within the budget, and closes the store. Throws a UserError if it cannot be
 * asked.
 */
export async function askModel<I, O>(
  open: OpenExperiment,
  name: string,
  tasks: readonly I[],
  ask: (chat: Chat, task: I) => Promise<O>,
  { signal, progress = () => {} }: { readonly signal: AbortSignal; readonly progress?: Progress | undefined },
): Promise<Outcome<O>[]> {
  const { store, recipes, experiment } = open
  const opened = chatModel(recipes[0], name)
  // Marks the folder as a store for other commands.
  await store.prepare(opened)
  const model = await store.open(opened)
  const spending = trackSpending(experiment.budget, () => performance.now())
  const watch = watchModels(open, [opened], { signal, progress, spending })
  const completions = tasks.map((task) =>
    forOneQuery(async () => (await withChat(watch.watched(model), (chat) => ask(chat, task))).value),
  )
  const outcomes = await Promise.all(completions)
  watch.throwIfEnded()
  watch.keepFailures()
  await store.close()
  return outcomes.map((outcome) =>
    'value' in outcome ? { value: outcome.value } : { failed: messageOf(outcome.error) },
  )
}
