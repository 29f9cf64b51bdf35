import type { LabelsFolder } from '../../labels/folder.ts'
import { type LabelsStatus, statusInWords } from '../../labels/status.ts'
import { plural } from '../../report/numbers.ts'
import { joined } from '../../report/words.tsx'
import type { ViewPage } from './frame.tsx'

const TASKS = { review: 'Review questions', label: 'Label passages' } as const
type Task = keyof typeof TASKS

export function labelsPage(status: LabelsStatus): ViewPage {
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
    live: false,
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
export function takenPage(as: string, task: string, acts: number, last: string): ViewPage {
  return {
    title: as,
    live: false,
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

export function workPage(as: string, task: string, { pool, review }: LabelsFolder): ViewPage {
  const tasks = tasksOf({ pool, review })
  const now = tasks.find((one) => one === task) ?? tasks[0]
  return {
    title: `${TASKS[now]}: ${as}`,
    live: false,
    heading: (
      <>
        <h1>{TASKS[now]}</h1>
        <p class="kind">
          <bdi>{as}</bdi> ·{' '}
          {tasks
            .filter((one) => one !== now)
            .map((one) => [<a href={workAddress(as, one)}>{TASKS[one]}</a>, ' · '])}
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
