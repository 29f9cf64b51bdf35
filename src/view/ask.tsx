import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { OpenExperiment } from '../experiment/plan/open.ts'
import { addQuestion, questionFilesOf } from '../library/add-question.ts'
import { MOST_TRIALS, openAskTrials } from '../library/ask-trials.ts'
import { findTrial } from '../library/open-config.ts'
import { say } from '../report/words.tsx'
import { shownPath } from '../text/printable.ts'
import type { Progress } from '../types.ts'
import type { ViewPage } from './frame.tsx'
import { json, parsed } from './labels.tsx'
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

const askBody = z.strictObject({
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
          const { question, trials, depth } = read(askBody, body)
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

/** `files` are the files of questions, or the reason for having none. */
function askPage(config: string, trials: readonly string[], files: readonly string[] | string): ViewPage {
  const choose = (label: string, place: number) => (
    <label>
      {label}{' '}
      <select name="trial">
        {place === 2 && <option value="">none</option>}
        {trials.map((trial, at) => (
          <option selected={place < 2 && at === place}>{trial}</option>
        ))}
      </select>
    </label>
  )
  return {
    title: 'Ask',
    heading: (
      <>
        <h1>Ask trials a question</h1>
        <p class="subtitle">{config}</p>
      </>
    ),
    main: (
      <section>
        {trials.length < 2 ? (
          <p class="warning">The config has one trial; add another to compare two.</p>
        ) : (
          <form id="ask" class="asking" data-files={typeof files === 'string' ? undefined : files.join(', ')}>
            <label for="question">Question</label>
            <textarea id="question" name="question" rows={2} required autofocus dir="auto" />
            <p class="controls">
              {choose('Trial', 0)} {choose('compared with', 1)} {trials.length > 2 && choose('and', 2)}{' '}
              <label>
                passages <input name="depth" type="number" min={1} max={50} value={5} />
              </label>{' '}
              <button type="submit">
                Ask <kbd>Enter</kbd>
              </button>
            </p>
          </form>
        )}
        {typeof files === 'string' && <p class="empty">Questions cannot be added here: {files}.</p>}
        <p id="state" role="status" />
        <div id="asked" />
        <noscript>
          <p>{say`Asking in the browser needs JavaScript. In the terminal: ${<code>{`touchstone ask ${config} QUESTION --trial A --trial B`}</code>}`}</p>
        </noscript>
      </section>
    ),
  }
}
