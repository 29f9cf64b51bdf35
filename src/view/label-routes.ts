import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import {
  actionOf,
  appendActions,
  type LabelsFolder,
  openLabels,
  POOL,
  REVIEW,
  readLogs,
  requireLabeller,
} from '../labels/folder.ts'
import { type Act, RELEVANT } from '../labels/log.ts'
import { labelsStatus } from '../labels/status.ts'
import { labelOverview, labelQuestion, reviewItems, standingIn } from './label-data.ts'
import { labelsPage, takenPage, workPage } from './pages/labels.tsx'
import type { Answer } from './routes.ts'

/** Address of the acts. */
export const ACTS = '/labels/act'

interface LabelRoutes {
  get(url: URL): Answer | null
  /** Stores an act; answers with the new state. */
  post(body: string): Answer
}

const posted = z.strictObject({
  as: z.string(),
  /** From the browser: an act that is sent twice is stored once. */
  id: z.string().min(8).max(64),
  act: z.looseObject({ do: z.string() }),
})

/** Pages of a labels folder; `now` is in milliseconds since 1970. */
export function openLabelRoutes(folder: string, now: () => number): LabelRoutes {
  openLabels(folder)
  const opened = openAgain(folder)

  function get({ pathname, searchParams }: URL): Answer | null {
    const given = searchParams.get('as') ?? ''
    switch (pathname) {
      case '/labels':
        return { kind: 'page', page: labelsPage(labelsStatus(opened(), RELEVANT)) }
      case '/labels/work': {
        const as = person(given)
        const task = searchParams.get('do') ?? 'label'
        const log = opened().logs.find(({ header }) => header.labeller === as)
        // People of one name would be one labeller.
        if (log && searchParams.get('known') === null)
          return { kind: 'page', page: takenPage(as, task, log.actions.length, log.actions.at(-1)?.at ?? '') }
        return { kind: 'page', page: workPage(as, task, opened()), script: '/label.js' }
      }
      case '/labels/data': {
        const as = person(given)
        const labels = opened()
        return json({
          label: labelOverview(labels, as),
          review: reviewItems(labels, as),
          last: standingIn(labels, as).last?.id ?? null,
        })
      }
      case '/labels/question': {
        const question = labelQuestion(opened(), person(given), searchParams.get('id') ?? '')
        return question && json(question)
      }
      default:
        return null
    }
  }

  function post(body: string): Answer {
    const { data, error } = posted.safeParse(parsed(body))
    if (error) throw new UserError(`the act cannot be read: ${error.issues[0].message}`)
    const { id } = data
    const as = person(data.as)
    const action = actionOf(data.act as unknown as Act, id, new Date(now()).toISOString())
    requireKnown(opened(), action as unknown as Act, as)
    appendActions(folder, { touchstone: 'label log', format: 1, labeller: as, kind: 'person' }, [action])
    const labels = opened()
    const query = 'query' in action ? action.query : ''
    return json({
      label: labelOverview(labels, as),
      question: labelQuestion(labels, as, query),
      last: standingIn(labels, as).last?.id ?? null,
    })
  }

  /** Throws for a model's name. */
  function person(name: string): string {
    const as = requireLabeller(folder, name)
    const log = opened().logs.find(({ header }) => header.labeller === as)
    if (log?.header.kind === 'model') throw new UserError(`${as} is a model; choose another name`)
    return as
  }

  return { get, post }
}

/** Parses pool and questions again only after a change. */
function openAgain(folder: string): () => LabelsFolder {
  let stamp = ''
  let known: LabelsFolder | undefined
  return () => {
    const now = [POOL, REVIEW]
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
      .map((stats) => (stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : ''))
      .join('\n')
    if (!known || now !== stamp) known = openLabels(folder)
    else known = { ...known, logs: readLogs(folder) }
    stamp = now
    return known
  }
}

/** Throws a UserError for an unknown question, passage or act. */
function requireKnown({ pool, review, logs }: LabelsFolder, act: Act, labeller: string): void {
  if (act.do === 'undo') {
    const own = logs.find(({ header }) => header.labeller === labeller)?.actions ?? []
    if (!own.some(({ id }) => id === act.of)) throw new UserError('there is no such act of yours to undo')
    return
  }
  const isReview = act.do === 'accept' || act.do === 'reject' || act.do === 'edit'
  const known = isReview
    ? review?.items.some(({ id }) => id === act.query)
    : pool?.queries.some(
        ({ id, passages }) =>
          id === act.query &&
          (act.passage === undefined || passages.some((passage) => passage.id === act.passage)),
      )
  if (!known) throw new UserError('the question or the passage is no longer there; open the page again')
}

export function json(value: object): Answer {
  return { kind: 'asset', text: JSON.stringify(value), type: 'application/json; charset=utf-8' }
}

/** Undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
