import { z } from 'zod'
import { isMap, jsonIn } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { column, optional } from '../columns.ts'
import { defineFormat } from '../format.ts'
import { anId } from '../schema.ts'
import type { Shape, Source } from '../source.ts'

const QUESTION = z.object({
  id: anId,
  text: z.string(),
  answers: z.string().nullish(),
  category: z.string().nullish(),
  facts: z.preprocess(
    (value) => pairs(value, 'sent_id'),
    z.array(z.tuple([z.string(), z.int()]).rest(z.unknown())).default([]),
  ),
  contexts: z.preprocess(
    (value) => pairs(value, 'sentences', 'content'),
    z.array(z.tuple([z.string(), z.array(z.string())]).rest(z.unknown())),
  ),
  /** 2Wiki's facts: subject, relation, object. */
  evidences: z
    .array(z.tuple([z.string(), z.string(), z.string()]))
    .optional()
    .catch(undefined),
})

/**
 * A format in HotpotQA's form: each question has its own passages, gold are those that a supporting fact names by title. `joint` joins a
 * passage's sentences.
 */
const defineSupportingFacts = ({
  joint,
  isOwn,
  ...row
}: {
  readonly name: string
  readonly summary: string
  readonly drops: string
  readonly joint: string
  isOwn(shape: Shape): boolean
}) =>
  defineFormat({
    ...row,
    path: 'the JSON or JSONL file, plain or .gz, or a Parquet file of its rows',
    place: 'file',
    roles: {
      questions: {
        name: 'questions.json',
        keys: ['question', 'supporting_facts', 'context'],
        columns: {
          id: column('id', ['_id'], ['id']),
          text: column('question'),
          answers: optional(column('answer')),
          category: optional(column('type')),
          facts: optional(column('supporting_facts')),
          contexts: column('context'),
          evidences: optional(column('evidences')),
        },
        schema: QUESTION,
      },
    },
    recognises: ({ shape, files }: Source) => isOwn(shape(files[0])),
    question({ id, text, answers, category, facts, contexts, evidences }: z.output<typeof QUESTION>) {
      const named = new Set(facts.map(([title]) => title))
      const titles = contexts.map(([title]) => title)
      const texts = new Set(contexts.map(([title, sentences]) => `${title}\n${sentences.join(joint).trim()}`))
      const isShared = [...named].some(
        (title) => [...texts].filter((text) => text.startsWith(`${title}\n`)).length > 1,
      )
      return {
        id,
        text,
        category,
        answers: answers == null ? [] : [answers],
        metadata: evidences?.length ? { path: evidences } : {},
        contexts: contexts.map(([title, sentences]) => ({
          title,
          text: sentences.join(joint).trim(),
          isGold: named.has(title),
        })),
        missing: [...named]
          .filter((title) => !titles.includes(title))
          .map((title) => ({
            name: title,
            message: `the supporting fact "${title}" is not one of the question's passages`,
          })),
        ...(isShared && {
          remark:
            'questions with a supporting fact whose title several of their passages have, all taken for gold',
        }),
      }
    },
  })

/** HotpotQA's own JSON, distractor setting (Yang et al., EMNLP 2018): sentences bring their spaces along. */
export const hotpotqa = defineSupportingFacts({
  name: 'hotpotqa',
  summary: 'original JSON of HotpotQA, distractor and fullwiki; the corpus is the union of its contexts',
  drops: 'sentence numbers of supporting facts, level',
  joint: '',
  isOwn: (shape) => !isTwoWiki(shape),
})

/** 2WikiMultiHopQA's own JSON (Ho et al., COLING 2020): HotpotQA's form, sentences without the space between them. */
export const twoWiki = defineSupportingFacts({
  name: '2wiki',
  summary: 'original JSON of 2WikiMultiHopQA; the corpus is the union of its contexts',
  drops: 'sentence numbers of supporting facts',
  joint: ' ',
  isOwn: (shape) => isTwoWiki(shape) !== false,
})

/** True for 2Wiki, false for HotpotQA, undefined if fields and kinds of questions fit both. */
function isTwoWiki({ keys, head }: Shape): boolean | undefined {
  if (keys.some((key) => /^evidences|^entity_ids$/.test(key))) return true
  if (/"(?:compositional|inference|bridge_comparison)"/.test(head)) return true
  return keys.includes('level') ? false : undefined
}

/** Pairs of a title and another value. Rows of Hugging Face have parallel lists, objects, or either as JSON. */
function pairs(raw: unknown, ...seconds: readonly string[]): unknown {
  const value = typeof raw === 'string' ? (jsonIn(raw) ?? raw) : (raw ?? undefined)
  const secondOf = (record: Readonly<Record<string, unknown>>) =>
    seconds.map((name) => record[name]).find((item) => item !== undefined)
  if (Array.isArray(value))
    return value.map((item: unknown) => (isMap(item) ? [item.title, secondOf(item)] : item))
  if (!isMap(value) || !Array.isArray(value.title)) return value
  const others = secondOf(value) as readonly Json[] | undefined
  return Array.isArray(others)
    ? value.title.map((title: unknown, index: number) => [title, others[index]])
    : value
}
