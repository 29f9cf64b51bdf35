import { readFileSync } from 'node:fs'
import { UserError } from '../../errors.ts'

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

/** Text of a custom prompt, or of the built-in one. Throws a UserError if a custom one lacks a placeholder. */
export function promptText(
  file: string | undefined,
  otherwise: PromptName,
  placeholders: readonly string[] = [],
): string {
  return file === undefined ? builtInPrompt(otherwise) : promptFile(file, placeholders)
}

/** Reads the user's prompt file. Throws a UserError if the file is missing or lacks a placeholder. */
export function promptFile(file: string, placeholders: readonly string[]): string {
  let text: string
  try {
    text = read(file)
  } catch {
    throw new UserError({ file, message: 'this prompt cannot be read' })
  }
  const missing = placeholders.filter((name) => !text.includes(hole(name)))
  if (missing.length > 0)
    throw new UserError({
      file,
      message: `this prompt lacks ${missing.map((name) => `\`${hole(name)}\``).join(' and ')}`,
    })
  return text
}

/** The prompt with values in place of its placeholders, each at its place: a value's own braces stay as they are. */
export function fillPrompt(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name] : whole,
  )
}

const hole = (name: string) => `{{${name}}}`

function read(file: string | URL): string {
  return readFileSync(file, 'utf8').replace(/\r\n/g, '\n').trimEnd()
}
