import { z } from 'zod'
import { defineFormat } from '../format.ts'
import { anId } from '../schema.ts'

const QUESTION = z.object({
  id: anId,
  question: z.string(),
  answer: z.string().optional(),
  answer_aliases: z.array(z.string()).nullish(),
  answerable: z.boolean().default(true),
  paragraphs: z.array(
    z.object({
      title: z.string().nullable(),
      paragraph_text: z.string(),
      is_supporting: z.boolean().default(false),
    }),
  ),
})

/**
 * MuSiQue's own JSONL (Trivedi et al., TACL 2022). The category is the first part of the id, as `3hop1`. MuSiQue-Full holds each
 * question twice, once without a passage that it needs; the union of passages has that one, so these twins are left out.
 */
export const musique = defineFormat({
  name: 'musique',
  summary: 'original JSONL of MuSiQue; the corpus is the union of its paragraphs',
  drops: 'question_decomposition; twins that their paragraphs do not answer, counted',
  path: 'the JSONL or JSON file, plain or .gz',
  place: 'file',
  roles: { questions: { name: 'questions.jsonl', keys: ['question', 'paragraphs'], schema: QUESTION } },
  question: ({
    id,
    question,
    answer,
    answer_aliases,
    answerable,
    paragraphs,
  }: z.output<typeof QUESTION>) => ({
    id,
    text: question,
    answers: answer === undefined ? [] : [...new Set([answer, ...(answer_aliases ?? [])])],
    category: /^\dhop\d?(?=__)/.exec(id)?.[0],
    contexts: paragraphs.map(({ title, paragraph_text, is_supporting }) => ({
      title,
      text: paragraph_text,
      isGold: is_supporting,
    })),
    ...(!answerable && { skip: 'questions left out, which their own paragraphs do not answer' }),
  }),
})
