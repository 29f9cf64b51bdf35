import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { defineFormat, type Params, type Part } from '../format.ts'
import { passagesIn, textsOf } from '../mappers.ts'
import { anId } from '../schema.ts'
import { hasKeys, type Source } from '../source.ts'

const QUESTION = z.object({
  id: anId,
  source: z.string().min(1),
  question: z.string(),
  answer: z.unknown(),
  question_type: z.string().min(1),
  evidence: z.unknown(),
})
const TEXT = z.object({ corpus_name: z.string().min(1), context: z.string() })

/**
 * GraphRAG-Bench (Xiang et al., When to use Graphs in RAG, 2025): questions (`Datasets/Questions/novel_questions.json`) and the texts
 * that they are about (`Datasets/Corpus/novel.json`). Gold is the text that a question names; its evidence, in words of its own, is for
 * the judge `evidence_recall`.
 */
export const graphragBench = defineFormat({
  name: 'graphrag-bench',
  summary: 'questions of GraphRAG-Bench with their types, and the texts of its corpus (JSON, JSONL, Parquet)',
  drops: 'evidence_triple, evidence_relations',
  path: 'the file of questions, or a folder with one such file',
  place: 'either',
  params: {
    corpus: z
      .string()
      .optional()
      .meta({ path: true })
      .describe('the file of texts; default: next to the questions, or in `Corpus` above them'),
  },
  roles: {
    corpus: {
      name: 'corpus.json',
      also: 'next to the questions or in Corpus, or named with `corpus`',
      find: textsOfCorpus,
      schema: TEXT,
    },
    questions: { name: 'questions.json', find: questionFiles, schema: QUESTION },
  },
  recognises: (source) => questionFiles(source).length > 0,
  document: ({ corpus_name: name, context }) => ({ id: name, title: name, text: context }),
  question({ id, source, question, answer, question_type: category, evidence }: z.output<typeof QUESTION>) {
    const facts = passagesIn(evidence as never).map(({ text }) => text)
    return {
      id,
      uniqueId: `${source}/${id}`,
      text: question,
      category,
      answers: textsOf(answer as never),
      gold: [source],
      ...(facts.length > 0 && { evidence: facts }),
    }
  },
  notices: ({ documents }) => [
    `gold is the whole text that a question names, one of ${documents}${documents === 1 ? ', so every passage is gold' : ''}; judge passages with \`evidence_recall\` and \`context_relevance\``,
  ],
})

function questionFiles(source: Source): Part[] {
  const candidates = source.files.filter(
    (file) =>
      /\.(json|jsonl|parquet)(\.gz)?$/.test(file) &&
      hasKeys(source.shape(file), 'question', 'question_type', 'source', 'evidence'),
  )
  return typed(candidates).map((file) => ({ file }))
}

/** The benchmark has each file as JSON and as Parquet. */
function typed(files: readonly string[]): string[] {
  return files.filter(
    (file) => !file.endsWith('.parquet') || !files.includes(file.replace(/\.parquet$/, '.json')),
  )
}

/** Texts of a file of questions: `novel.json` for `novel_questions.json`, next to it or in a folder `Corpus`. */
function textsOfCorpus(source: Source, { corpus }: Params): Part[] {
  const [questions] = questionFiles(source)
  if (!questions) return []
  if (corpus !== undefined) return [{ file: relative(source.folder, corpus) }]
  const questionsPath = join(source.folder, questions.file)
  const stem =
    basename(questionsPath)
      .replace(/[_-]?questions?(?=[_.-])/i, '')
      .split('.')[0] || 'corpus'
  const places = [
    dirname(questionsPath),
    join(dirname(questionsPath), '..', 'Corpus'),
    join(dirname(questionsPath), 'Corpus'),
  ]
  const files = places
    .flatMap((place) => ['json', 'jsonl', 'parquet'].map((kind) => join(place, `${stem}.${kind}`)))
    .filter((place) => place !== questionsPath && existsSync(place))
  const written = files.filter((file) => !file.endsWith('.parquet'))
  return (written.length > 0 ? written : files).map((file) => ({ file: relative(source.folder, file) }))
}
