import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256 } from '../../src/store/hash.ts'

/** The questions over the rulebook as their file has them, with what only the scripts here read. */
export interface Question {
  readonly _id: string
  readonly text: string
  readonly metadata: { readonly category: string }
  readonly gold: readonly Quoted[]
  /** Of a trap: the passages whose words match and that do not answer. */
  readonly trap?: readonly Quoted[]
}

export interface Quoted {
  readonly file: string
  readonly headings: readonly string[]
  readonly quote: string
  readonly group?: string
}

/** The second reader's verdict on one question. */
export interface Verdict {
  readonly _id: string
  /** What was read: `readingOf` the question as it stood. */
  readonly read: string
  readonly answers: boolean
  readonly remark?: string
}

export const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../datasets/srd52-queries')

/** Every category with the beginning of its ids. */
export const CATEGORIES: Readonly<Record<string, string>> = {
  'single-rule': 'single',
  'two-rules': 'two',
  table: 'table',
  informal: 'informal',
  number: 'number',
  trap: 'trap',
}

export const readQuestions = (): Question[] => lines(join(FOLDER, 'questions.jsonl')) as Question[]
export const readVerdicts = (): Verdict[] => lines(join(FOLDER, 'checked.jsonl')) as Verdict[]

function lines(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Changes with the question and its gold: a verdict on another reading is none. */
export function readingOf({ text, gold }: Question): string {
  return sha256(JSON.stringify([text, gold])).slice(0, 12)
}
