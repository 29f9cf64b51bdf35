import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { listOf } from '../../models/chat/json.ts'
import { type Chat, together } from '../../models/completions/chat.ts'
import type { Embedding } from '../../models/embedder.ts'
import {
  modelParams,
  type PromptName,
  promptFiles,
  promptText,
  stepPromptParams,
} from '../../models/prompts/prompt.ts'
import type { Definition } from '../../registry.ts'
import { eachJsonLine, hashFile, readText } from '../../store/input.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { fieldComplaint } from '../../text/schema-words.ts'
import { isRefusal, withoutCitations } from '../citations.ts'
import { textsAsContext } from '../context.ts'
import type { Judgeable } from '../measures.ts'

/** A measure of answers that a model takes. */
export interface Judge<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  readonly source: string
  readonly embeds?: true
  /** Throws if there is no verdict. */
  judge(answer: Judgeable, params: z.output<S>, tools: JudgeTools): Promise<JudgeScore>
}

interface JudgeTools {
  readonly chat?: Chat
  readonly embed?: Embedding
}

/** Texts of placeholders; a judge passes others itself. */
const HOLES: Readonly<Record<string, (answer: Judgeable) => string>> = {
  query: ({ question }) => withoutMarks(question),
  answer: ({ text }) => withoutMarks(text),
  reference: ({ references }) => withoutMarks(references[0]),
  references: ({ references }) => references.map((text) => `- ${withoutMarks(text)}`).join('\n'),
  context: ({ passages }) => textsAsContext(passages),
}

/** Parts of an answer that a judge may need, in order of their check. */
const LACKS = {
  reference: ({ answerable, references }: Judgeable) => !answerable || references.length === 0,
  evidence: ({ evidence = [] }: Judgeable) => evidence.length === 0,
  answer: ({ failed, refused }: Judgeable) => failed || refused,
  text: ({ failed }: Judgeable) => failed,
  passages: ({ passages }: Judgeable) => passages.length === 0,
}

/** A judge as data. */
interface Row<P extends z.ZodRawShape> extends Pick<Judge, 'name' | 'summary' | 'source' | 'embeds'> {
  /** Absent if no language model is asked. */
  readonly prompt?: PromptName
  /** Placeholders of the prompt. */
  readonly holes?: readonly string[]
  /** Name of a step before, which lists the statements of a text. */
  readonly lists?: 'statements' | 'facts'
  /** Params besides those of the prompts. */
  readonly params?: P
  files?(params: z.output<z.ZodObject<P>>): Readonly<Record<string, string>>
  /** Score of an answer without a part; no request is sent. */
  readonly without: Readonly<Partial<Record<keyof typeof LACKS, number>>>
  score(answer: Judgeable, asking: Asking, params: z.output<z.ZodObject<P>>): JudgeScore | Promise<JudgeScore>
}

interface Asking {
  readonly ask: Ask
  /** Several completions of the prompt. */
  repeat<T>(count: number, schema: z.ZodType<T>): Promise<readonly T[]>
  list(text: string): Promise<readonly string[]>
  readonly embed: Embedding
}

const LIST_HOLES = ['query', 'answer']

export function defineJudge<P extends z.ZodRawShape = Record<never, never>>({
  prompt,
  holes = [],
  lists,
  params,
  files,
  without,
  score,
  ...row
}: Row<P>): Judge {
  const prompts = promptFiles(holes, lists && { [lists]: LIST_HOLES })
  const typed = (all: object) => all as z.output<z.ZodObject<P>>
  return {
    ...row,
    params: z.strictObject({
      ...(prompt && modelParams(holes)),
      ...(lists && stepPromptParams(lists, LIST_HOLES)),
      ...params,
      labels: labelsParam,
    }),
    files: (all) => ({
      ...prompts(all),
      ...files?.(typed(all)),
      ...labelFiles(all.labels as string | undefined),
    }),
    async judge(answer, all, { chat, embed }) {
      for (const [part, isLacking] of Object.entries(LACKS)) {
        const value = without[part as keyof typeof LACKS]
        if (value !== undefined && isLacking(answer)) return value
      }
      const seed = Number(all.seed)
      const template = (param: string, builtIn: PromptName) =>
        promptText(all[param] as string | undefined, builtIn)
      const texts = () =>
        Object.fromEntries(holes.flatMap((hole) => (hole in HOLES ? [[hole, HOLES[hole](answer)]] : [])))
      const complete = <T>(
        schema: z.ZodType<T>,
        values: Readonly<Record<string, string>> = {},
        sample = seed,
      ) =>
        (chat as Chat).json(
          {
            template: template('prompt', prompt as PromptName),
            values: { ...texts(), ...values },
            seed: sample,
          },
          schema,
        )
      const asking: Asking = {
        ask: complete,
        repeat: (count, schema) =>
          together([...Array(count).keys()], (index) => complete(schema, {}, seed * count + index)),
        async list(text) {
          const values = { query: HOLES.query(answer), answer: withoutMarks(text) }
          const request = { template: template(`${lists}Prompt`, 'judge-statements'), values, seed }
          return (await (chat as Chat).json(request, STATEMENTS)).statements
        },
        embed: embed as Embedding,
      }
      return score(answer, asking, typed(all))
    },
  }
}

/** Cosine of a text's vector to each of the others'; 0 if the embedder knows nothing of a text. */
export async function cosine(embed: Embedding, text: string, others: readonly string[]): Promise<number[]> {
  const rows = await embed([text, ...others])
  const dims = rows.length / (others.length + 1)
  return others.map((_, other) => {
    let sum = 0
    for (let at = 0; at < dims; at++) sum += rows[at] * rows[(other + 1) * dims + at]
    return sum
  })
}

/** 0 to 1, higher is better; NaN if the answer does not count. A language model's has a reason. */
export type JudgeScore = number | Verdict

interface Verdict {
  readonly value: number
  /** Lines of plain text. */
  readonly reason: string
}

/** Asks for a completion of the judge's prompt. `values`: placeholders besides those of the answer. */
type Ask = <T>(schema: z.ZodType<T>, values?: Readonly<Record<string, string>>) => Promise<T>

/** Statements of a text, at most 50. */
export const STATEMENTS = z.strictObject({ statements: listOf(z.string(), 50) })

export function numbered(texts: readonly string[]): string {
  return texts
    .map((text, index) => `${index + 1}. ${withoutMarks(text.replace(/\s+/g, ' ').trim())}`)
    .join('\n')
}

/** A line per finding: the finding, its text, and the reason in brackets. */
export function reasonLines(
  findings: readonly (readonly [finding: string, about: string, why?: string])[],
): string {
  const line = (text: string) => text.replace(/\s+/g, ' ').trim()
  return findings
    .map(([finding, about, why = '']) => `${finding}: ${line(about)}${line(why) && ` (${line(why)})`}`)
    .join('\n')
}

/**
 * Share of texts for which a claim holds, with reasons; NaN without a text. `words`: for a claim that holds, and
 * one that does not.
 */
export function share(
  verdicts: readonly (readonly [holds: boolean, about: string, why: string])[],
  words: readonly [string, string],
): Verdict {
  return {
    value: verdicts.filter(([holds]) => holds).length / verdicts.length,
    reason: reasonLines(verdicts.map(([holds, about, why]) => [words[holds ? 0 : 1], about, why])),
  }
}

interface Verdicts {
  /** Placeholder of the statements. */
  readonly hole: string
  /** Key of the map from numbers to verdicts. */
  readonly map: string
  /** Key of a verdict. */
  readonly key: string
  readonly words: readonly [string, string]
}

/** Verdicts of the prompt `judge-faithfulness`. */
export const FOLLOWS: Verdicts = {
  hole: 'statements',
  map: 'verdicts',
  key: 'follows',
  words: ['follows', 'does not follow'],
}

/** Share of statements with a positive verdict; NaN, without a request, if there is none. */
export async function shareOfStatements(
  statements: readonly string[],
  ask: Ask,
  { hole, map, key, words }: Verdicts,
): Promise<JudgeScore> {
  if (statements.length === 0) return Number.NaN
  const schema = z.strictObject({ [map]: forEachNumber(statements.length, verdict(key)) })
  const { [map]: replies } = await ask(schema, { [hole]: numbered(statements) })
  return share(
    statements.map((statement, at) => [replies[at + 1][key], statement, replies[at + 1].reasoning]),
    words,
  )
}

export function verdict<K extends string>(key: K): z.ZodType<{ reasoning: string } & Record<K, boolean>> {
  const schema = z.strictObject({ reasoning: z.string(), [key]: z.boolean() })
  return schema as unknown as z.ZodType<{ reasoning: string } & Record<K, boolean>>
}

/** Schema of an object with the keys 1 to `count`: a server that keeps a schema then leaves no number out. */
export function forEachNumber<T extends z.ZodType>(
  count: number,
  value: T,
): z.ZodType<Record<string, z.output<T>>> {
  const keys = Array.from({ length: count }, (_, index) => [String(index + 1), value] as const)
  return z.strictObject(Object.fromEntries(keys)) as unknown as z.ZodType<Record<string, z.output<T>>>
}

/** An answer with what people think of it. */
export interface Labelled {
  readonly answer: Judgeable
  readonly label: number
}

/** Param of every judge. */
const labelsParam = z
  .string()
  .min(1)
  .optional()
  .meta({ path: true })
  .describe("a file of answers labelled by people (JSONL); the report shows the judge's agreement")

function labelFiles(labels: string | undefined): Readonly<Record<string, string>> {
  if (labels === undefined) return {}
  readLabels(labels)
  return { labels: hashFile(labels) }
}

const line = z.strictObject({
  question: z.string().min(1),
  answer: z.string(),
  references: z.array(z.string()).default([]),
  passages: z.array(z.string()).default([]),
  evidence: z.array(z.string()).optional(),
  label: z.number().min(0).max(1),
})

/** Reads labelled answers, a JSON object per line. Throws a UserError with the errors and their lines. */
export function readLabels(file: string): Labelled[] {
  const answers: Labelled[] = []
  eachJsonLine(file, readText(file, 'labelled answers'), (value, wrong) => {
    const { success, data, error } = line.safeParse(value)
    if (success) answers.push(labelled(data))
    else for (const issue of error.issues) wrong(fieldComplaint(issue, value))
  })
  if (answers.length === 0) throw new UserError('holds no labelled answer', file)
  return answers
}

function labelled({
  question,
  answer,
  references,
  passages,
  evidence,
  label,
}: z.output<typeof line>): Labelled {
  const unread = { cited: [], wrong: 0, gold: null, failed: false, answerable: true }
  const text = withoutCitations(answer)
  return {
    answer: {
      ...unread,
      question,
      text,
      refused: isRefusal(answer),
      references,
      passages,
      ...(evidence && { evidence }),
    },
    label,
  }
}
