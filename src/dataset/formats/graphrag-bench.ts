import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { oneOf } from '../../store/alternates.ts'
import { wellFormed } from '../../text/well-formed.ts'
import type { Json } from '../../types.ts'
import { passagesIn, textsOf } from '../contexts.ts'
import { defineDatasetFormat } from '../format.ts'
import { policyShape } from '../policies.ts'
import { eachRecord } from '../rows.ts'
import type { DataLocation, DatasetSink } from '../sink.ts'
import { hasKeys, openSource, type Source } from '../source.ts'
import { anId, wrongFields } from '../supporting-facts.ts'

const question = z.object({
  id: anId,
  source: z.string().min(1),
  question: z.string(),
  answer: z.unknown(),
  question_type: z.string().min(1),
  evidence: z.unknown(),
})
const text = z.object({ corpus_name: z.string().min(1), context: z.string() })

/**
 * GraphRAG-Bench (Xiang et al., When to use Graphs in RAG, 2025): a file of questions (`Datasets/Questions/novel_questions.json`)
 * and the texts that they are about (`Datasets/Corpus/novel.json`). The type of a question is its category; its evidence, which
 * is in words of its own, is for the judge `evidence_recall`. Gold is the text that a question names.
 */
export const graphragBench = defineDatasetFormat({
  name: 'graphrag-bench',
  summary: 'questions of GraphRAG-Bench with their types, and the texts of its corpus (JSON, JSONL, Parquet)',
  drops: 'evidence_triple, evidence_relations',
  params: z.strictObject({
    path: z.string().describe('the file of questions, or a folder with one such file'),
    corpus: z
      .string()
      .optional()
      .meta({ path: true })
      .describe('the file of texts; default: next to the questions, or in `Corpus` above them'),
    ...policyShape,
  }),
  sniff: (source) => {
    const files = questionFiles(source)
    return files.length > 0 ? { files } : undefined
  },
  async load({ path, corpus }, sink) {
    const source = openSource(path)
    const files = questionFiles(source)
    if (files.length !== 1)
      return sink.diagnostic({
        file: path,
        message:
          files.length === 0
            ? 'holds no file of questions with `question_type`, `source` and `evidence`'
            : `holds ${files.length} files of questions: ${files.join(', ')}; give the path of one`,
      })
    const questions = source.isFolder ? join(path, files[0]) : path
    const texts = corpus ?? corpusOf(questions)
    if (texts === undefined)
      return sink.diagnostic({
        file: path,
        message: `has questions, and the texts that they are about were not found; looked for ${corpusPlaces(
          questions,
        )
          .map((place) => relative(dirname(questions), place))
          .join(', ')}. Name the file with \`corpus\``,
      })
    const names = await takeTexts(texts, sink)
    const asked = await takeQuestions(questions, names, sink)
    sink.notice(
      `read as GraphRAG-Bench: ${basename(questions)}, ${basename(texts)}; query=question, category=question_type, gold=source`,
    )
    sink.notice(
      `gold is the whole text that a question names, one of ${names.size}${names.size === 1 ? ', so every passage is gold' : ''}; judge passages with \`evidence_recall\` and \`context_relevance\``,
    )
    if (asked.repeated > 0)
      sink.notice(`${asked.repeated} questions share an id with another; their text's name precedes it`)
  },
})

const ANSWERED = ['question', 'question_type', 'source', 'evidence']

function questionFiles(source: Source): string[] {
  const found = source.files.filter(
    (file) => /\.(json|jsonl|parquet)(\.gz)?$/.test(file) && hasKeys(source.shape(file), ...ANSWERED),
  )
  // The benchmark has each file as JSON and as Parquet.
  return found.filter(
    (file) => !file.endsWith('.parquet') || !found.includes(file.replace(/\.parquet$/, '.json')),
  )
}

/** Paths at which the texts of a file of questions may be: `novel.json` for `novel_questions.json`. */
function corpusPlaces(questions: string): string[] {
  const folder = dirname(questions)
  const stem =
    basename(questions)
      .replace(/[_-]?questions?(?=[_.-])/i, '')
      .split('.')[0] || 'corpus'
  return [folder, join(folder, '..', 'Corpus'), join(folder, 'Corpus')].flatMap((place) =>
    ['json', 'jsonl', 'parquet'].map((kind) => join(place, `${stem}.${kind}`)),
  )
}

function corpusOf(questions: string): string | undefined {
  const there = corpusPlaces(questions).filter((place) => place !== questions && existsSync(place))
  // The benchmark has each file as JSON and as Parquet.
  const written = there.filter((place) => !place.endsWith('.parquet'))
  const folder = dirname(questions)
  const one = oneOf(
    folder,
    (written.length > 0 ? written : there).map((place) => relative(folder, place)),
  )
  return one && join(folder, one)
}

/** Hands the texts to the sink; returns their names. */
async function takeTexts(path: string, sink: DatasetSink): Promise<Set<string>> {
  const names = new Set<string>()
  await eachRecord(path, sink, (fields, location) => {
    const { data, error } = text.safeParse(fields)
    if (!data) return wrongFields(error, fields, location, sink)
    const id = wellFormed(data.corpus_name)
    names.add(id)
    sink.document({ id, title: id, text: wellFormed(data.context), metadata: {} }, location)
  })
  return names
}

async function takeQuestions(
  path: string,
  names: ReadonlySet<string>,
  sink: DatasetSink,
): Promise<{ readonly repeated: number }> {
  const all: { readonly data: z.output<typeof question>; readonly location: DataLocation }[] = []
  await eachRecord(path, sink, (fields, location) => {
    const { data, error } = question.safeParse(fields)
    if (data) all.push({ data, location })
    else wrongFields(error, fields, location, sink)
  })
  const counts = new Map<string, number>()
  for (const { data } of all) counts.set(data.id, (counts.get(data.id) ?? 0) + 1)
  let repeated = 0
  for (const { data, location } of all) {
    const isRepeated = (counts.get(data.id) as number) > 1
    if (isRepeated) repeated++
    const id = wellFormed(isRepeated ? `${data.source}/${data.id}` : data.id)
    const evidence = passagesIn(data.evidence as Json).map((one) => wellFormed(one.text))
    if (!names.has(wellFormed(data.source)))
      sink.diagnostic({
        ...location,
        message: `is about the text "${data.source}", which the corpus does not hold`,
      })
    sink.query(
      {
        id,
        text: wellFormed(data.question),
        metadata: {},
        category: data.question_type,
        answers: textsOf(data.answer as Json).map(wellFormed),
        answerable: true,
        ...(evidence.length > 0 && { evidence }),
      },
      location,
    )
    sink.qrel({ queryId: id, id: wellFormed(data.source), grade: 1 }, location)
  }
  return { repeated }
}
