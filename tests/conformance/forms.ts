import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeShared, shared } from '../shared.ts'

/**
 * Form of each kind of reference file. The folder can be exchanged, so a file is known by its keys and never by
 * its name. Where a file holds cases, one of the form is enough: a case that lacks something then fails by itself.
 */
export const FORMS = {
  bm25: (data) => listed(data.sets, 'dataset', 'queries'),
  fusion: (data) => Array.isArray(data.runs),
  'graphrag-local': (data) => listed(data.cases, 'entities_selected_in_order', 'relationships'),
  'hipporag-recall': (data) => holds(data, 'k_list', 'gold_docs', 'retrieved_docs'),
  hipporag2: (data) => listed(data.cases, 'passages', 'triples', 'directed_edge_list'),
  lightrag: (data) => listed(data.cases, 'items', 'max_related_chunks'),
  'mteb-ties': (data) => listed(data.cases ?? [data.case], 'qrels', 'run'),
  ppr: (data) => listed(data.cases, 'n', 'edges', 'reset', 'ppr'),
  significance: (data) => listed(data.paired, 'a', 'b') || listed([data.multiple_comparison].flat(), 'p'),
  'trec_eval-full-precision': (data) => listed(Object.values(data), 'args'),
} satisfies Record<string, (data: Readonly<Record<string, unknown>>) => boolean>
export type Form = keyof typeof FORMS

/** `trec_eval [options] QRELS RUN -> OUT`, a line of the file of commands beside the reference tool's own files. */
export const COMMAND = /^trec_eval (?:(.*) )?(\S+) (\S+) +-> (\S+)/

/** The repository's own cases, made by the script among them; the folder of reference data can be exchanged. */
export const OWN = join(import.meta.dirname, '../golden/conformance')

export interface FormFile {
  /** Its path below the folder. */
  readonly file: string
  /** Those whose keys it has; one, if all is well. */
  readonly forms: readonly Form[]
  readonly data: unknown
}

/** The JSON files at any depth, by name. What is no JSON has no form. */
export function formFiles(folder: string): FormFile[] {
  return entries(folder, true)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const data = parsed(join(folder, file))
      const forms = Object.entries(FORMS).filter(([, has]) => isObject(data) && has(data))
      return { file, forms: forms.map(([form]) => form as Form), data }
    })
}

/** Folders (`''` is the reference folder) with a file of trec_eval's commands, and that file. */
export function commandFolders(folder: string): { folder: string; commands: string }[] {
  return entries(folder, true)
    .filter((file) => file.endsWith('.txt'))
    .filter((file) => readFileSync(join(folder, file), 'utf8').split('\n').some(isCommand))
    .map((commands) => ({ folder: join(commands, '..'), commands }))
}

/** Entries of the folder without a form, documentation aside. A folder has a form if a file in it has one. */
export function unknownEntries(folder: string): string[] {
  const files = [
    ...formFiles(folder).flatMap(({ file, forms }) => (forms.length === 1 ? [file] : [])),
    ...commandFolders(folder).map(({ commands }) => commands),
  ]
  return entries(folder, false).filter(
    (name) =>
      !/^(README|LICEN[CS]E|NOTICE)|\.py$/i.test(name) &&
      !files.some((file) => file === name || file.startsWith(`${name}/`)),
  )
}

/** A suite over the repository's own cases, and one over the reference data's, which a clone alone has not. */
export function describeFolders(name: string, suite: (folder: string) => void): void {
  describe(`conformance, own cases: ${name}`, () => suite(OWN))
  describeShared(`conformance, reference cases: ${name}`, () => suite(shared('conformance')))
}

/** A suite for each file of a form, which hears its path; that a folder has none fails. */
export function describeForm<T>(form: Form, suite: (data: T, path: string) => void): void {
  describeFolders(form, (folder) => {
    const files = formFiles(folder).filter(({ forms }) => forms.includes(form))
    it('has files of this form', () => expect(files.length).toBeGreaterThan(0))
    for (const { file, data } of files) describe(file, () => suite(data as T, join(folder, file)))
  })
}

function entries(folder: string, recursive: boolean): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive, encoding: 'utf8' })
    .filter((name) => !/(^|[\\/])\./.test(name))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function isCommand(line: string): boolean {
  return COMMAND.test(line)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function holds(value: unknown, ...keys: string[]): boolean {
  return isObject(value) && keys.every((key) => key in value)
}

function listed(list: unknown, ...keys: string[]): boolean {
  return Array.isArray(list) && list.some((item) => holds(item, ...keys))
}
