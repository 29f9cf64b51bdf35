import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { sha256 } from '../../store/hash.ts'

export type PromptName =
  | 'answer'
  | 'answer-closed-book'
  | 'answer-map'
  | 'answer-reduce'
  | 'answer-suggest'
  | 'chunk-header'
  | 'community-report'
  | 'draft-check'
  | 'draft-comparison'
  | 'draft-fact'
  | 'draft-passages'
  | 'draft-unanswerable'
  | 'drift-follow-up'
  | 'drift-primer'
  | 'expand-terms'
  | 'filter-facts'
  | 'fusion-queries'
  | 'graphrag-extract'
  | 'graphrag-glean'
  | 'hyde'
  | 'ircot'
  | 'judge-classify'
  | 'judge-context-relevance'
  | 'judge-correctness'
  | 'judge-coverage'
  | 'judge-faithfulness'
  | 'judge-hop'
  | 'judge-hop-groups'
  | 'judge-question'
  | 'judge-recall'
  | 'judge-relevance'
  | 'judge-rubric'
  | 'judge-statements'
  | 'light-keywords'
  | 'map-reports'
  | 'openie-entities'
  | 'openie-triples'
  | 'query2doc'
  | 'rate-report'
  | 'rewrite'
  | 'sub-questions'
  | 'summarize-cluster'
  | 'test-relevance'

export function builtInPrompt(name: PromptName): string {
  return read(new URL(`./${name}.md`, import.meta.url))
}

/** Custom prompt, or the built-in one. Throws a UserError if a custom one lacks a placeholder. */
export function promptText(
  file: string | undefined,
  otherwise: PromptName,
  placeholders: readonly string[] = [],
): string {
  return file === undefined ? builtInPrompt(otherwise) : promptFile(file, placeholders)
}

/** Throws a UserError if the file is missing or lacks a placeholder. */
function promptFile(file: string, placeholders: readonly string[]): string {
  let text: string
  try {
    text = read(file)
  } catch {
    throw new UserError('this prompt cannot be read', file)
  }
  const missing = placeholders.filter((name) => !text.includes(hole(name)))
  if (missing.length > 0)
    throw new UserError(`this prompt lacks ${missing.map((name) => `\`${hole(name)}\``).join(' and ')}`, file)
  return text
}

/** Fills placeholders; braces in values stay as they are. */
export function fillPrompt(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name] : whole,
  )
}

const hole = (name: string) => `{{${name}}}`

function read(file: string | URL): string {
  return readFileSync(file, 'utf8').replace(/\r\n/g, '\n').trimEnd()
}

/** Params of a part of `prepare` that asks a language model. `holes`: placeholders of its prompt. */
export function promptParams(holes: readonly string[]) {
  return {
    model: z.string().min(1).meta({ model: true }).describe('a name in `models`'),
    prompt: promptParam('a file with a custom prompt', holes),
  }
}

export function modelParams(holes: readonly string[]) {
  return {
    ...promptParams(holes),
    seed: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .default(0)
      .describe('number of a sample among several completions of one prompt'),
  }
}

/** Params of a prompt of an earlier step: `mapPrompt` for the step `map`. */
export function stepPromptParams<S extends string>(step: S, holes: readonly string[]) {
  const param = promptParam(`a file with a custom prompt for the step before (${step})`, holes)
  return { [`${step}Prompt`]: param } as Record<`${S}Prompt`, typeof param>
}

function promptParam(subject: string, holes: readonly string[]) {
  const named = holes.map((hole) => `\`{{${hole}}}\``).join(' and ')
  return z.string().min(1).optional().meta({ path: true }).describe(`${subject}, with ${named}`)
}

/**
 * SHA-256 of the custom prompts in params, for `files` of a definition. Throws a UserError if one is missing or
 * lacks a placeholder.
 */
export function promptFiles(
  holes: readonly string[],
  steps: Readonly<Record<string, readonly string[]>> = {},
) {
  const prompts: [string, readonly string[]][] = [
    ['prompt', holes],
    ...Object.entries(steps).map(([step, holes]): [string, readonly string[]] => [`${step}Prompt`, holes]),
  ]
  return (params: object): Record<string, string> => {
    const files = params as Readonly<Record<string, unknown>>
    return Object.fromEntries(
      prompts.flatMap(([param, holes]) =>
        typeof files[param] === 'string' ? [[param, sha256(promptFile(files[param], holes))]] : [],
      ),
    )
  }
}
