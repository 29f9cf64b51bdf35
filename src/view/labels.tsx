import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { gradedPairs } from '../labels/final.ts'
import {
  actionOf,
  appendActions,
  type LabelsFolder,
  labellersOf,
  openLabels,
  POOL,
  REVIEW,
  readLogs,
  requireLabeller,
} from '../labels/folder.ts'
import { type Act, GRADES, pairOf, RELEVANT, type Standing, standingOf } from '../labels/log.ts'
import { decisionOf, questionOrder } from '../labels/order.ts'
import { shuffled } from '../labels/pool.ts'
import {
  decisionInWords,
  type LabelsStatus,
  labelsStatus,
  relevanceOf,
  statusInWords,
} from '../labels/status.ts'
import { plural } from '../report/numbers.ts'
import { joined } from '../report/words.tsx'
import type { ViewPage } from './frame.tsx'
import type { LabelOverview, LabelQuestion, ReviewItem } from './label-state.ts'
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
    const labeller = searchParams.get('as') ?? ''
    switch (pathname) {
      case '/labels':
        return { kind: 'page', page: labelsPage(labelsStatus(opened(), RELEVANT)) }
      case '/labels/work': {
        const as = person(labeller)
        const task = searchParams.get('do') ?? 'label'
        const log = opened().logs.find(({ header }) => header.labeller === as)
        // People of one name would be one labeller.
        if (log && searchParams.get('known') === null)
          return { kind: 'page', page: takenPage(as, task, log.actions.length, log.actions.at(-1)?.at ?? '') }
        return { kind: 'page', page: workPage(as, task, opened()), script: '/label.js' }
      }
      case '/labels/data':
        return json(stateOf(opened(), person(labeller)))
      case '/labels/question': {
        const question = labelQuestion(opened(), person(labeller), searchParams.get('id') ?? '')
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
    return json({ ...stateOf(labels, as), question: labelQuestion(labels, as, query) })
  }

  function person(name: string): string {
    const as = requireLabeller(folder, name)
    const log = opened().logs.find(({ header }) => header.labeller === as)
    if (log?.header.kind === 'model') throw new UserError(`${as} is a model; choose another name`)
    return as
  }

  return { get, post }
}

function stateOf(labels: LabelsFolder, labeller: string) {
  return {
    label: labelOverview(labels, labeller),
    review: reviewItems(labels, labeller),
    last: standingIn(labels, labeller).last?.id ?? null,
  }
}

/** Parses pool and questions again only after a change. */
function openAgain(folder: string): () => LabelsFolder {
  let stamp = ''
  let cached: LabelsFolder | undefined
  return () => {
    const now = [POOL, REVIEW]
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
      .map((stats) => (stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : ''))
      .join('\n')
    if (!cached || now !== stamp) cached = openLabels(folder)
    else cached = { ...cached, logs: readLogs(folder) }
    stamp = now
    return cached
  }
}

/** Throws a UserError for an unknown question, passage or act. */
function requireKnown({ pool, review, logs }: LabelsFolder, act: Act, labeller: string): void {
  if (act.do === 'undo') {
    const actions = logs.find(({ header }) => header.labeller === labeller)?.actions ?? []
    if (!actions.some(({ id }) => id === act.of)) throw new UserError('there is no such act of yours to undo')
    return
  }
  const isReview = act.do === 'accept' || act.do === 'reject' || act.do === 'edit'
  const isKnown = isReview
    ? review?.items.some(({ id }) => id === act.query)
    : pool?.queries.some(
        ({ id, passages }) =>
          id === act.query &&
          (act.passage === undefined || passages.some((passage) => passage.id === act.passage)),
      )
  if (!isKnown) throw new UserError('the question or the passage is no longer there; open the page again')
}

export function json(value: object): Answer {
  return { kind: 'asset', text: JSON.stringify(value), type: 'application/json; charset=utf-8' }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function standingIn({ logs }: LabelsFolder, labeller: string): Standing {
  return standingOf(logs.find(({ header }) => header.labeller === labeller)?.actions ?? [])
}

/** Questions ordered by this labeller's labels; the decision is by everybody's. */
function labelOverview(labels: LabelsFolder, labeller: string): LabelOverview | null {
  const { pool } = labels
  if (!pool) return null
  const standing = standingIn(labels, labeller)
  const people = labellersOf(labels, 'person')
  const graded = gradedPairs(pool, labels.logs)
  const mine = ownDecision(labels, standing)
  const all = decisionOf(pool, relevanceOf(graded, people, RELEVANT))
  // Names of trials could bias a labeller.
  const blind = pool.trials.map((_, at) => `trial ${String.fromCharCode(65 + (at % 26))}`)
  const isDone = (key: string) => standing.grades.has(key) || standing.skipped.has(key)
  return {
    grades: GRADES,
    questions: (pool.audit ? pool.queries : questionOrder(pool, mine)).map(({ id, text, passages }) => {
      const keys = passages.map((passage) => pairOf(id, passage.id))
      return {
        id,
        text,
        total: keys.length,
        done: keys.filter(isDone).length,
        decisive: keys.filter((key) => !isDone(key) && mine.weights.has(key)).length,
      }
    }),
    decision: decisionInWords(all, blind, pool),
  }
}

function ownDecision({ pool }: LabelsFolder, { grades }: Standing) {
  if (!pool) throw new Error('there is no pool')
  return decisionOf(pool, new Map([...grades].map(([key, { grade }]) => [key, grade >= RELEVANT])))
}

/** Passages in random order, decisive ones first. */
function labelQuestion(labels: LabelsFolder, labeller: string, id: string): LabelQuestion | null {
  const { pool } = labels
  const query = pool?.queries.find((candidate) => candidate.id === id)
  if (!pool || !query) return null
  const { grades, skipped, comments, ...own } = standingIn(labels, labeller)
  const { weights } = decisionOf(pool, new Map())
  const now = ownDecision(labels, { ...own, grades, skipped, comments }).weights
  const isDecisive = (passage: string) => weights.has(pairOf(id, passage))
  const order = shuffled(query, pool.seed, labeller)
  return {
    id,
    text: query.text,
    passages: [
      ...order.filter((passage) => isDecisive(passage.id)),
      ...order.filter((passage) => !isDecisive(passage.id)),
    ].map(({ id: passage, title, text }) => {
      const key = pairOf(id, passage)
      return {
        id: passage,
        title,
        text,
        skipped: skipped.has(key),
        decisive: now.has(key),
        grade: grades.get(key)?.grade ?? null,
        comment: comments.get(key)?.text ?? '',
      }
    }),
  }
}

function reviewItems(labels: LabelsFolder, labeller: string): ReviewItem[] {
  const { reviews } = standingIn(labels, labeller)
  return (labels.review?.items ?? []).map((item) => {
    const review = reviews.get(item.id)
    const wording = review?.do === 'edit' ? review.text : item.text
    return { ...item, verdict: review?.do ?? '', wording }
  })
}

const TASKS = { review: 'Review questions', label: 'Label passages' } as const
type Task = keyof typeof TASKS

function labelsPage(status: LabelsStatus): ViewPage {
  const { review, decision, agreement, labellers } = statusInWords(status)
  const people = status.labellers.filter(({ kind }) => kind === 'person')
  const tasks = tasksOf(status)
  const start = (
    <section>
      <form class="controls" action="/labels/work" method="get">
        <label for="as">Your name</label>{' '}
        <input id="as" name="as" required maxlength={40} autocomplete="off" />
        {tasks.map((task) => [
          <button type="submit" name="do" value={task}>
            {TASKS[task]}
          </button>,
          ' ',
        ])}
      </form>
      {people.length > 0 && (
        <p>
          Continue as{' '}
          {joined(
            people.map(({ name }) => (
              <a href={workAddress(name, tasks[0])}>
                <bdi>{name}</bdi>
              </a>
            )),
            ' ',
          )}
        </p>
      )}
    </section>
  )
  return {
    title: 'Labels',
    heading: <h1>Labels</h1>,
    main: (
      <>
        {start}
        {sentences('Questions', review)}
        {sentences('Decision', decision)}
        {sentences('Agreement', agreement)}
        {sentences('Labellers', labellers.length > 0 ? labellers : ['Nobody has labelled yet.'])}
      </>
    ),
  }
}

function sentences(heading: string, lines: readonly string[]) {
  if (lines.length === 0) return null
  return (
    <section>
      <h2>{heading}</h2>
      <ul class="findings">
        {lines.map((line) => (
          <li dir="auto">{line}</li>
        ))}
      </ul>
    </section>
  )
}

function tasksOf({ pool, review }: { readonly pool: unknown; readonly review: unknown }): Task[] {
  return [...(review ? (['review'] as const) : []), ...(pool ? (['label'] as const) : [])]
}

function workAddress(as: string, task: string): string {
  return `/labels/work?${new URLSearchParams({ as, do: task, known: '1' }).toString()}`
}

/** Question to somebody whose name has labels. */
function takenPage(as: string, task: string, acts: number, last: string): ViewPage {
  return {
    title: as,
    heading: (
      <h1>
        <bdi>{as}</bdi> has labels here
      </h1>
    ),
    main: (
      <section>
        <p class="lead">
          {plural(acts, 'act')}, the last on <time>{last}</time>. Continue only if you are this person: two
          people need two names.
        </p>
        <p>
          <a class="button" href={workAddress(as, task)}>
            Continue as <bdi>{as}</bdi>
          </a>{' '}
          · <a href="/labels">Choose another name</a>
        </p>
      </section>
    ),
  }
}

function workPage(as: string, task: string, { pool, review }: LabelsFolder): ViewPage {
  const tasks = tasksOf({ pool, review })
  const now = tasks.find((other) => other === task) ?? tasks[0]
  return {
    title: `${TASKS[now]}: ${as}`,
    heading: (
      <>
        <h1>{TASKS[now]}</h1>
        <p class="kind">
          <bdi>{as}</bdi> ·{' '}
          {tasks
            .filter((other) => other !== now)
            .map((other) => [<a href={workAddress(as, other)}>{TASKS[other]}</a>, ' · '])}
          <a href="/labels">All labels</a>
        </p>
      </>
    ),
    main: (
      <div id="work" data-as={as} data-do={now}>
        <noscript>
          <p>Labelling needs JavaScript.</p>
        </noscript>
      </div>
    ),
  }
}
