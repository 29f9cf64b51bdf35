import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { generate, type Size } from './generate.ts'
import type { Passage } from './model.ts'

/** The files of a BEIR folder, as lines without their ends, in the order in which they come about. */
export type Line = readonly [
  file: 'corpus.jsonl' | 'queries.jsonl' | 'qrels/test.tsv' | 'qrels/independent.tsv',
  line: string,
]

/** A world as lines. Ids are as long as the world needs, so that their byte order is the order of writing. */
export function* lines(seed: number, size?: Size): Generator<Line> {
  const width = Math.max(4, String((size?.passages ?? 0) - 1).length)
  const queryWidth = Math.max(3, String((size?.queries ?? 0) - 1).length)
  let passageCount = 0
  let queryCount = 0
  const judged: { readonly id: string; readonly gold: readonly string[] }[] = []
  yield ['qrels/test.tsv', HEADER]
  for (const { passages, questions } of generate(seed, size)) {
    const ids = new Map<Passage, string>()
    for (const passage of passages) {
      const id = `p${String(passageCount++).padStart(width, '0')}`
      ids.set(passage, id)
      const { title, text, kind } = passage
      yield ['corpus.jsonl', JSON.stringify({ _id: id, title, text, metadata: { kind } })]
    }
    for (const { category, text, answers, gold } of questions) {
      const id = `q${String(queryCount++).padStart(queryWidth, '0')}`
      const metadata =
        category === 'unanswerable' ? { category, answers, answerable: false } : { category, answers }
      yield ['queries.jsonl', JSON.stringify({ _id: id, text, metadata })]
      const golden = gold.map((passage) => ids.get(passage) as string)
      for (const passage of golden) yield ['qrels/test.tsv', `${id}\t${passage}\t1`]
      judged.push({ id, gold: golden })
    }
  }
  yield ['qrels/independent.tsv', HEADER]
  for (const { id, gold } of independent(judged))
    for (const passage of gold) yield ['qrels/independent.tsv', `${id}\t${passage}\t1`]
}

const HEADER = 'query-id\tcorpus-id\tscore'

/**
 * Questions of which no two share a gold passage: by the number of gold passages, then by id, a question is taken if none of
 * its passages is taken.
 */
function independent<Q extends { readonly id: string; readonly gold: readonly string[] }>(
  judged: readonly Q[],
): Q[] {
  const taken = new Set<string>()
  const chosen = new Set<Q>()
  for (const question of [...judged].sort((a, b) => a.gold.length - b.gold.length)) {
    if (question.gold.some((passage) => taken.has(passage))) continue
    for (const passage of question.gold) taken.add(passage)
    chosen.add(question)
  }
  return judged.filter((question) => chosen.has(question))
}

interface Output {
  readonly handle: number
  readonly temporary: string
  waiting: string[]
  length: number
}

/** Writes a world into `folder`; each file appears whole or not at all. Tells `progress` the passages so far. */
export function write(
  folder: string,
  seed: number,
  size?: Size,
  progress?: (passages: number) => void,
): void {
  mkdirSync(join(folder, 'qrels'), { recursive: true })
  const outputs = new Map<string, Output>()
  try {
    let passages = 0
    for (const [name, line] of lines(seed, size)) {
      const output = outputs.get(name) ?? open(join(folder, `${name}.tmp`))
      outputs.set(name, output)
      output.waiting.push(line)
      output.length += line.length
      if (output.length > 1 << 20) flush(output)
      if (name === 'corpus.jsonl' && ++passages % 10_000 === 0) progress?.(passages)
    }
    for (const output of outputs.values()) flush(output)
  } catch (error) {
    for (const { handle, temporary } of outputs.values()) {
      closeSync(handle)
      rmSync(temporary)
    }
    throw error
  }
  for (const [name, { handle, temporary }] of outputs) {
    closeSync(handle)
    renameSync(temporary, join(folder, name))
  }
}

const open = (temporary: string): Output => ({
  handle: openSync(temporary, 'w'),
  temporary,
  waiting: [],
  length: 0,
})

function flush(output: Output): void {
  if (output.waiting.length > 0) writeSync(output.handle, `${output.waiting.join('\n')}\n`)
  output.waiting = []
  output.length = 0
}
