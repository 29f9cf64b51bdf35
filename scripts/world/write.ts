import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { generate, type Size } from './generate.ts'
import type { Passage } from './model.ts'

/** The files of a BEIR folder, as lines without their ends, in the order in which they come about. */
export type Line = readonly [file: 'corpus.jsonl' | 'queries.jsonl' | 'qrels/test.tsv', line: string]

/** A world as lines. Ids are as long as the world needs, so that their byte order is the order of writing. */
export function* lines(seed: number, size?: Size): Generator<Line> {
  const width = Math.max(4, String((size?.passages ?? 0) - 1).length)
  const queryWidth = Math.max(3, String((size?.queries ?? 0) - 1).length)
  let passageCount = 0
  let queryCount = 0
  yield ['qrels/test.tsv', 'query-id\tcorpus-id\tscore']
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
      for (const passage of gold) yield ['qrels/test.tsv', `${id}\t${ids.get(passage)}\t1`]
    }
  }
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
