import type { z } from 'zod'
import type { Chat } from '../../models/completions/chat.ts'
import type { Embedding } from '../../models/embedder.ts'
import type { Definition } from '../../registry.ts'
import type { JudgedAnswer } from '../measures/define.ts'

/** Inputs of a judge for one answer. */
export interface Judgeable extends JudgedAnswer {
  readonly question: string
  /** True if there is no answer, as the retrieval or the model failed. */
  readonly failed: boolean
}

/** A measure of answers that a model takes. */
export interface Judge<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  /** Publication or page that describes the measure. */
  readonly source: string
  /** True if the judge compares vectors of its param `embedder`. */
  readonly embeds?: true
  /** Throws where there is no verdict; gets no more tools than it says it needs. */
  judge(answer: Judgeable, params: z.output<S>, tools: JudgeTools): JudgeScore | Promise<JudgeScore>
}

/** From 0 to 1, the higher the better; NaN where the answer does not count. A language model's is a verdict with its reason. */
export type JudgeScore = number | Verdict

/** A score with the reasons that the language model gave for it. */
export interface Verdict {
  readonly value: number
  /** Lines of plain text. */
  readonly reason: string
}

interface JudgeTools {
  readonly chat?: Chat
  readonly embed?: Embedding
}

/** Gives a judge's definition its type. */
export function defineJudge<S extends z.ZodObject>(judge: Judge<S>): Judge {
  return judge as unknown as Judge
}
