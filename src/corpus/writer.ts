import type { z } from 'zod'
import { BadCompletion } from '../models/chat/json.ts'
import type { Chat } from '../models/completions/chat.ts'
import type { Resolved, Versioned } from '../registry.ts'
import type { Artifact, Inputs, Opened } from '../store/artifact.ts'
import { chatModel } from './chat-model.ts'
import { type FromModel, modelArtifact } from './model-artifact.ts'
import { keyOf, type Recipe } from './recipe.ts'

/** Choice of `prepare` that writes texts: by rules, or with the language model that its param `model` names. */
export interface Writer<S extends z.ZodObject, Input, Texts> extends Versioned<S> {
  /** Writes with a language model; absent if rules write. */
  ask?(chat: Chat, input: Input, params: z.output<S>): Promise<Texts>
}

/** Texts that a writer's language model wrote, as an artifact; undefined if rules write. */
export function writtenByModel<I extends Inputs, Input, Texts>(
  recipe: Recipe,
  { definition, params }: Resolved<Writer<z.ZodObject, Input, Texts>>,
  choice: {
    readonly name: string
    /** Key of the config and name of the choice, as in `reports: llm`. */
    readonly label: string
    readonly inputs: I
    readonly inputOf: (inputs: Opened<I>) => Input
  },
): Artifact<FromModel<Texts>> | undefined {
  const { ask } = definition
  if (!ask) return undefined
  const { name, label, inputs, inputOf } = choice
  return modelArtifact({
    name,
    version: 1,
    inputs,
    params: { name: label, ...keyOf(definition, params) },
    model: chatModel(recipe, String(params.model)),
    write: (chat, opened: Opened<I>) => ask(chat, inputOf(opened), params),
  })
}

/** Result of asking a language model; null if its completion cannot be used. */
export async function usable<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof BadCompletion)) throw error
    return null
  }
}
