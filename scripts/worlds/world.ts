import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from './random.ts'

/** An invented dataset: its files by path. */
export type World = Readonly<Record<string, string>>

export interface Passage {
  readonly title: string
  readonly text: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A question whose gold is a list of passages. */
export interface Asked {
  readonly text: string
  readonly category: string
  readonly gold: readonly Passage[]
  /** Reference answers, where a few words answer the question. */
  readonly answers?: readonly string[]
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** Section of a Markdown document, as its path of headings. */
export type Place = readonly [file: string, ...headings: string[]]

/** A question whose gold is a list of sections. */
export interface AskedOfSections {
  readonly text: string
  readonly category: string
  readonly gold: readonly Place[]
  readonly metadata?: Readonly<Record<string, unknown>>
}

const jsonLines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
/** Ids of a world's `count` passages or questions, as long as the longest, so that their byte order is the order of writing. */
const idsOf = (letter: string, count: number) =>
  times(count, (index) => `${letter}${String(index).padStart(Math.max(3, String(count - 1).length), '0')}`)

/** A BEIR folder. Throws if a question has gold that is no passage, or if two questions are the same. */
export function beir(passages: readonly Passage[], questions: readonly Asked[]): World {
  const passageIds = idsOf('p', passages.length)
  const queryIds = idsOf('q', questions.length)
  const ids = new Map(passages.map((passage, index) => [passage, passageIds[index]]))
  requireDistinct(questions)
  const qrels = questions.flatMap(({ gold }, query) =>
    gold.map((passage) => {
      const id = ids.get(passage)
      if (id === undefined) throw new Error(`no passage "${passage.title}"`)
      return `${queryIds[query]}\t${id}\t1\n`
    }),
  )
  return {
    'corpus.jsonl': jsonLines(
      passages.map(({ title, text, metadata }, index) => ({ _id: passageIds[index], title, text, metadata })),
    ),
    'queries.jsonl': jsonLines(
      questions.map(({ text, category, answers, metadata }, index) => ({
        _id: queryIds[index],
        text,
        metadata: { category, answers, ...metadata },
      })),
    ),
    'qrels/test.tsv': ['query-id\tcorpus-id\tscore\n', ...qrels].join(''),
  }
}

/** Markdown files and a file of questions. */
export function markdown(files: World, asked: readonly AskedOfSections[]): World {
  requireDistinct(asked)
  const ids = idsOf('q', asked.length)
  const questions = asked.map(({ text, category, gold, metadata }, index) => ({
    _id: ids[index],
    text,
    metadata: { category, ...metadata },
    gold: gold.map(([file, ...headings]) => ({ file, headings })),
  }))
  return { ...files, 'questions.jsonl': jsonLines(questions) }
}

function requireDistinct(questions: readonly { readonly text: string }[]): void {
  const seen = new Set<string>()
  const twice = questions.map(({ text }) => text).find((text) => seen.has(text) || !seen.add(text))
  if (twice !== undefined) throw new Error(`asked twice: ${twice}`)
}

export function writeWorld(folder: string, world: World): void {
  for (const [path, text] of Object.entries(world)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const HEADS =
  'Bral Cor Dun Esk Far Gild Hol Ist Jor Kel Lum Mar Nor Orl Pell Quar Ras Sel Tam Ulm Ver Wes Yar Zen'
const TAILS = 'ane bor dith en fell gast ia mond nor oth rick sen tia une vale wick'

/** Distinct invented names; all have `middle` between head and tail. */
export function names(random: Random, count: number, middle = ''): string[] {
  const all = HEADS.split(' ').flatMap((head) => TAILS.split(' ').map((tail) => head + middle + tail))
  return random.shuffle(all).slice(0, count)
}

/** Distinct pairs of a first and a second word. */
export function pairs(random: Random, count: number, first: string, second: string): string[] {
  const all = first.split(' ').flatMap((head) => second.split(' ').map((other) => `${head} ${other}`))
  return random.shuffle(all).slice(0, count)
}

/** Numbers from 0 to `count`, without it, as values of `of`. */
export function times<T>(count: number, of: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => of(index))
}
