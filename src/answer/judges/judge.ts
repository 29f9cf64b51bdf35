import { z } from 'zod'
import { type Chat, together } from '../../models/completions/chat.ts'
import type { Embedding } from '../../models/embedder.ts'
import { modelParams, promptFiles, stepPromptParams } from '../../models/prompts/params.ts'
import { type PromptName, promptText } from '../../models/prompts/prompt.ts'
import type { Definition } from '../../registry.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { textsAsContext } from '../context.ts'
import type { Judgeable } from '../measures.ts'
import { labelFiles, labelsParam } from './labels.ts'
import { type Ask, type JudgeScore, STATEMENTS } from './lines.ts'

/** A measure of answers that a model takes. */
export interface Judge<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  /** Publication or page that describes the measure. */
  readonly source: string
  /** True if the judge compares vectors of its param `embedder`. */
  readonly embeds?: true
  /** Throws if there is no verdict. */
  judge(answer: Judgeable, params: z.output<S>, tools: JudgeTools): Promise<JudgeScore>
}

interface JudgeTools {
  readonly chat?: Chat
  readonly embed?: Embedding
}

/** Texts of placeholders; a judge passes those of the others. */
const HOLES: Readonly<Record<string, (answer: Judgeable) => string>> = {
  query: ({ question }) => withoutMarks(question),
  answer: ({ text }) => withoutMarks(text),
  reference: ({ references }) => withoutMarks(references[0]),
  references: ({ references }) => references.map((text) => `- ${withoutMarks(text)}`).join('\n'),
  context: ({ passages }) => textsAsContext(passages),
}

/** Parts of an answer that a judge may need, in the order in which they are looked for. */
const LACKS = {
  reference: ({ answerable, references }: Judgeable) => !answerable || references.length === 0,
  evidence: ({ evidence = [] }: Judgeable) => evidence.length === 0,
  answer: ({ failed, refused }: Judgeable) => failed || refused,
  text: ({ failed }: Judgeable) => failed,
  passages: ({ passages }: Judgeable) => passages.length === 0,
}

/** A judge as data, and its score from what the model says. */
interface Row<P extends z.ZodRawShape> extends Pick<Judge, 'name' | 'summary' | 'source' | 'embeds'> {
  /** Built-in prompt; absent if no language model is asked. */
  readonly prompt?: PromptName
  /** Placeholders of the prompt. */
  readonly holes?: readonly string[]
  /** Name of a step before, in which the model lists the statements of a text. */
  readonly lists?: 'statements' | 'facts'
  /** Params besides those of the prompts. */
  readonly params?: P
  files?(params: z.output<z.ZodObject<P>>): Readonly<Record<string, string>>
  /** Score of an answer that lacks a part, without a request. */
  readonly without: Readonly<Partial<Record<keyof typeof LACKS, number>>>
  score(answer: Judgeable, asking: Asking, params: z.output<z.ZodObject<P>>): JudgeScore | Promise<JudgeScore>
}

interface Asking {
  readonly ask: Ask
  /** Several completions of the prompt. */
  repeat<T>(count: number, schema: z.ZodType<T>): Promise<readonly T[]>
  /** Statements of a text that answers the question. */
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

/** The cosine of one text's vector to each of the others', -1 to 1; 0 where the embedder knows nothing of a text. */
export async function cosine(embed: Embedding, text: string, others: readonly string[]): Promise<number[]> {
  const rows = await embed([text, ...others])
  const dims = rows.length / (others.length + 1)
  return others.map((_, other) => {
    let sum = 0
    for (let at = 0; at < dims; at++) sum += rows[at] * rows[(other + 1) * dims + at]
    return sum
  })
}
