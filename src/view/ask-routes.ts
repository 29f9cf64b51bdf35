import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { OpenExperiment } from '../experiment/plan/open.ts'
import { addQuestion, questionFilesOf } from '../library/add-question.ts'
import { MOST_TRIALS, openAskTrials } from '../library/ask-trials.ts'
import { findTrial } from '../library/open-config.ts'
import { shownPath } from '../text/printable.ts'
import type { Progress } from '../types.ts'
import { json, parsed } from './label-routes.ts'
import { askPage } from './pages/ask.tsx'
import type { Answer } from './routes.ts'

export interface Playground {
  readonly open: OpenExperiment
  readonly folder: string
  readonly progress?: Progress
}

interface AskRoutes {
  get(url: URL): Answer | null
  /** Handlers by address. */
  readonly posts: readonly (readonly [address: string, post: (body: string) => Promise<Answer>])[]
}

const asked = z.strictObject({
  question: z.string(),
  trials: z.array(z.string()).max(MOST_TRIALS),
  depth: z.int().min(1).max(50),
})
const added = z.strictObject({
  text: z.string(),
  gold: z.array(z.strictObject({ document: z.string(), quote: z.string() })),
})

export function openAskRoutes({ open, folder, progress }: Playground): AskRoutes {
  const ask = openAskTrials(open, progress)
  const trials = open.trials.map(({ name }) => name)
  const shownFiles = () => {
    const files = questionFilesOf(open)
    return typeof files === 'string' ? files : Object.values(files).map((file) => shownPath(folder, file))
  }
  return {
    get({ pathname }) {
      if (pathname !== '/ask') return null
      const config = shownPath(folder, open.experiment.file)
      return { kind: 'page', page: askPage(config, trials, shownFiles()), script: '/ask.js' }
    },
    posts: [
      [
        '/ask/trials',
        async (body) => {
          const { question, trials, depth } = read(asked, body)
          const chosen = trials.map((name) => findTrial(name, open.trials))
          return json(await ask(chosen, question, { depth }))
        },
      ],
      [
        '/ask/question',
        async (body) => {
          const { text, gold } = read(added, body)
          return json({ id: await addQuestion(open, text, gold), files: shownFiles() })
        },
      ],
    ],
  }
}

function read<T>(schema: z.ZodType<T>, body: string): T {
  const { data, error } = schema.safeParse(parsed(body))
  if (error) throw new UserError(`the request cannot be read: ${error.issues[0].message}`)
  return data
}
