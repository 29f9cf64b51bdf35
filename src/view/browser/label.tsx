import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { markerOf } from '../../report/marks.tsx'
import type { LabelOverview, LabelPassage, LabelQuestion, ReviewItem } from '../label-state.ts'
import { fetchJson, postJson } from './server.ts'

/** Script of the labelling pages. An act counts as done only after the server has written it. */

interface State {
  readonly label: LabelOverview | null
  readonly review: readonly ReviewItem[]
  readonly last: string | null
}
type Act = { readonly do: string; readonly [field: string]: string | number | undefined }
type Acted = State & { readonly question: LabelQuestion | null }

const root = document.getElementById('work') as HTMLElement
const { as = '', do: task = 'label' } = root.dataset

function ask<T>(path: string, more: Record<string, string> = {}): Promise<T | null> {
  return fetchJson<T>('Not stored.', `/labels/${path}?${new URLSearchParams({ as, ...more })}`)
}

const questionOf = (id: string) => ask<LabelQuestion>('question', { id })

/** Resolves after the page has been drawn. */
const drawn = () => new Promise((done) => setTimeout(done))

let last: Promise<unknown> = Promise.resolve()

/** Sends requests in sequence. */
function serially(action: () => Promise<unknown>): Promise<unknown> {
  root.setAttribute('data-busy', '')
  const task = last.then(action).finally(() => {
    void drawn().then(() => task === last && root.removeAttribute('data-busy'))
  })
  last = task
  return task
}

type Keys = Readonly<Record<string, () => unknown>>

/** Actions of the page as last drawn. */
let keys: Keys = {}
let pressed: Promise<unknown> = Promise.resolve()

/** No key is lost: it waits for the earlier ones, if they load something, and acts on the page that these lead to. */
document.addEventListener('keydown', (event) => {
  const isWriting = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement
  if (isWriting || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return
  event.preventDefault()
  pressed = pressed.then(() => keys[event.key]?.()).then(drawn)
})

async function start(): Promise<void> {
  const initial = await ask<State>('data')
  const id =
    task === 'label' && initial?.label ? (nextOf(initial.label) ?? initial.label.questions[0]?.id) : ''
  const first = id ? await questionOf(id) : null
  if (initial) render(<Work initial={initial} first={first} />, root)
}
void start()

/** Id of a question with open passages, decisive ones first. */
function nextOf(label: LabelOverview, except = ''): string | undefined {
  const open = label.questions.filter(({ id, done, total }) => done < total && id !== except)
  return (open.find(({ decisive }) => decisive > 0) ?? open[0])?.id
}

interface TaskProps {
  readonly send: (act: Act) => Promise<Acted | null>
  readonly undo: () => Promise<unknown>
}

function Work({ initial, first }: { readonly initial: State; readonly first: LabelQuestion | null }) {
  const [state, setState] = useState(initial)
  const [question, setQuestion] = useState(first)
  const last = useRef(initial.last)
  const send = async (act: Act) => {
    const acted = await postJson<Acted>('Not stored.', '/labels/act', { as, id: crypto.randomUUID(), act })
    if (acted) {
      last.current = acted.last
      setState(acted)
    }
    return acted
  }
  const show = async (id: string) => setQuestion((await questionOf(id)) ?? question)
  const undo = () =>
    serially(async () => {
      if (last.current === null) return
      if ((await send({ do: 'undo', of: last.current })) && question) await show(question.id)
    })
  if (task === 'review') return <Review items={state.review} send={send} undo={undo} />
  if (!state.label || !question) return <p>There is no passage to label.</p>
  return (
    <Label
      key={question.id}
      label={state.label}
      question={question}
      setQuestion={setQuestion}
      go={(id) => serially(() => show(id))}
      send={send}
      undo={undo}
    />
  )
}

/** Place in a list: the first open item, then where the reader moves or an undo opens an item. */
function usePlace<T extends { readonly id: string }>(items: readonly T[], isOpen: (item: T) => boolean) {
  const [at, setAt] = useState(() => Math.max(0, items.findIndex(isOpen)))
  const before = useRef(items)
  useLayoutEffect(() => {
    const undone = items.findIndex((item, index) => {
      const past = before.current[index]
      return past?.id === item.id && !isOpen(past) && isOpen(item)
    })
    before.current = items
    if (undone >= 0) setAt(undone)
  }, [items])
  const move = (by: number) => setAt(Math.min(items.length - 1, Math.max(0, at + by)))
  return { at, setAt, move }
}

function useKeys(move: (by: number) => void, own: Keys): void {
  useLayoutEffect(() => {
    const [down, up] = [() => move(1), () => move(-1)]
    keys = { ...own, ArrowDown: down, j: down, ArrowUp: up, k: up }
  })
}

/** Buttons with their keys. */
function KeyButtons({
  keys,
}: {
  readonly keys: readonly (readonly [key: string, text: string, run: () => void])[]
}) {
  return (
    <p>
      {keys.map(([key, text, run]) => (
        <span key={key}>
          <button type="button" onClick={run}>
            <kbd>{key}</kbd> {text}
          </button>{' '}
        </span>
      ))}
    </p>
  )
}

/** Fields of a passage that are not stored yet. */
type Change = Partial<LabelPassage> & Pick<LabelPassage, 'id'>

interface LabelProps extends TaskProps {
  readonly label: LabelOverview
  readonly question: LabelQuestion
  readonly setQuestion: (question: LabelQuestion) => void
  readonly go: (id: string) => Promise<unknown>
}

function Label({ label, question, setQuestion, go, send, undo }: LabelProps) {
  const [pending, setPending] = useState<readonly Change[]>([])
  const passages = question.passages.map(
    (passage): LabelPassage => Object.assign({}, passage, ...pending.filter(({ id }) => id === passage.id)),
  )
  const isOpen = ({ grade, skipped }: LabelPassage) => grade === null && !skipped
  const { at, setAt, move } = usePlace(passages, isOpen)
  useEffect(() => document.getElementById(`p${at}`)?.scrollIntoView({ block: 'nearest' }), [at])
  const current = passages[at]
  const mark = markerOf(question.text, [])
  /** Shows a change at once and stores it; without an answer it is taken back. */
  const act = (request: Act, shown: Partial<LabelPassage>) => {
    const change = { ...shown, id: current.id }
    setPending((changes) => [...changes, change])
    void serially(async () => {
      const acted = await send({ ...request, query: question.id, passage: change.id })
      const now = new Map(acted?.question?.passages.map((passage) => [passage.id, passage]))
      // The order on the page stays.
      if (acted)
        setQuestion({ ...question, passages: question.passages.map((old) => now.get(old.id) ?? old) })
      setPending((changes) => changes.filter((other) => other !== change))
    })
  }
  const moveOn = () => {
    const below = passages.findIndex((passage, index) => index > at && isOpen(passage))
    const next = below >= 0 ? below : passages.findIndex((passage, index) => index !== at && isOpen(passage))
    if (next >= 0) setAt(next)
  }
  const give = (grade: number) => {
    act({ do: 'grade', grade }, { grade, skipped: false })
    moveOn()
  }
  const skip = () => {
    act({ do: 'skip' }, { grade: null, skipped: true })
    moveOn()
  }
  const left = passages.filter(isOpen).length
  const isSettled = !passages.some((passage) => isOpen(passage) && passage.decisive)
  const next = nextOf(label, question.id)
  const goOn = () => next !== undefined && go(next)
  const grades = label.grades.map(({ grade }) => [String(grade), () => give(grade)])
  useKeys(move, {
    ...Object.fromEntries(grades),
    s: skip,
    c: () => document.getElementById('comment')?.focus(),
    u: undo,
    n: goOn,
  })
  const sum = (of: 'done' | 'total') => label.questions.reduce((all, question) => all + question[of], 0)
  return (
    <div class="labelling">
      <section class="asked" aria-label="Question">
        <p class="kind">
          <select
            aria-label="Question"
            value={question.id}
            onChange={({ currentTarget }) => go(currentTarget.value)}
          >
            {label.questions.map((question) => (
              <option key={question.id} value={question.id}>
                {`${question.done}/${question.total} ${question.text.slice(0, 80)}`}
              </option>
            ))}
          </select>{' '}
          <progress max={sum('total')} value={sum('done')} aria-label="Labelled" />{' '}
          <span id="done">{sum('done')}</span> of {sum('total')}
        </p>
        <h2 class="question">{question.text}</h2>
      </section>
      <ol class="passages">
        {passages.map((passage, index) => (
          <li key={passage.id} id={`p${index}`} class={index === at ? 'current' : undefined}>
            <button type="button" class="pick" aria-current={index === at} onClick={() => setAt(index)}>
              {passage.skipped ? 'skipped' : passage.grade === null ? '–' : `grade ${passage.grade}`}
            </button>
            <div>
              {passage.title !== '' && <p class="kind">{passage.title}</p>}
              <p class="text">{mark(passage.text)}</p>
              {passage.comment !== '' && <p class="note">{passage.comment}</p>}
            </div>
          </li>
        ))}
      </ol>
      <aside class="panel" aria-label="Grades">
        <div class="grades">
          {label.grades.map(({ grade, name, definition }) => (
            <button
              key={grade}
              type="button"
              aria-pressed={current.grade === grade}
              onClick={() => give(grade)}
            >
              <kbd>{grade}</kbd> <b>{name}</b> <small>{definition}</small>
            </button>
          ))}
        </div>
        <KeyButtons
          keys={[
            ['s', 'skip', skip],
            ['u', 'undo', undo],
            ...(next ? [['n', 'next question', goOn] as const] : []),
          ]}
        />
        <Comment
          key={current.id}
          text={current.comment}
          store={(text) => act({ do: 'comment', text }, { comment: text })}
        />
        <p aria-live="polite">
          {left > 0
            ? `${left} left here.${isSettled && next ? ' None of them can change which trial is first by gain: press n.' : ''}`
            : next
              ? 'This question is done: press n.'
              : 'All passages have a label. Freeze them: touchstone labels export LABELS --to labels -o labelled.jsonl'}
        </p>
        <ul class="decision">
          {label.decision.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </aside>
    </div>
  )
}

function Comment({ text, store }: { readonly text: string; readonly store: (text: string) => void }) {
  return (
    <label>
      <kbd>c</kbd> comment <small>(Enter stores, Esc cancels)</small>
      <textarea
        id="comment"
        rows={2}
        maxLength={4000}
        defaultValue={text}
        onKeyDown={(event) => {
          const isCancelled = event.key === 'Escape'
          if (!isCancelled && (event.key !== 'Enter' || event.shiftKey)) return
          event.preventDefault()
          if (isCancelled) event.currentTarget.value = text
          event.currentTarget.blur()
        }}
        onBlur={({ currentTarget }) => {
          if (currentTarget.value !== text) store(currentTarget.value)
        }}
      />
    </label>
  )
}

const VERDICTS = { '': 'not reviewed', accept: 'accepted', reject: 'rejected', edit: 'edited' } as const

function Review({ items, send, undo }: TaskProps & { readonly items: readonly ReviewItem[] }) {
  const { at, setAt, move } = usePlace(items, ({ verdict }) => verdict === '')
  const [editing, setEditing] = useState(false)
  const item = items[at]
  const step = (by: number) => {
    setEditing(false)
    move(by)
  }
  const act = (request: Act) => {
    step(1)
    void serially(async () => (await send({ ...request, query: item.id })) ?? setAt(at))
  }
  const actions = [
    ['a', 'accept', () => act({ do: 'accept' })],
    ['e', 'edit', () => setEditing(true)],
    ['r', 'reject', () => act({ do: 'reject' })],
    ['u', 'undo', undo],
  ] as const
  useKeys(step, Object.fromEntries(actions.map(([key, , run]) => [key, run])))
  if (!item) return <p>There is no question to review.</p>
  const mark = markerOf(item.wording, item.answers)
  const reviewed = items.filter(({ verdict }) => verdict !== '').length
  return (
    <div class="labelling">
      <section class="asked" aria-label="Question">
        <p class="kind">
          {at + 1} of {items.length} · <progress max={items.length} value={reviewed} aria-label="Reviewed" />{' '}
          <span id="done">{reviewed}</span> reviewed · <b>{VERDICTS[item.verdict]}</b>
          {item.category !== null && ` · ${item.category}`}
        </p>
        {editing ? (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const text = String(new FormData(event.currentTarget).get('wording'))
              setEditing(false)
              act({ do: 'edit', text })
            }}
          >
            <input
              name="wording"
              aria-label="Wording"
              class="wording"
              defaultValue={item.wording}
              maxLength={4000}
              required
              ref={(input) => input?.focus()}
              onKeyDown={({ key }) => key === 'Escape' && setEditing(false)}
            />
            <small>
              <kbd>Enter</kbd> stores, <kbd>Esc</kbd> cancels
            </small>
          </form>
        ) : (
          <h2 class="question">{item.wording}</h2>
        )}
        {item.answers.length > 0 && <p>Answer: {item.answers.join('; ')}</p>}
        {!item.answerable && <p>Meant to have no answer in the corpus.</p>}
      </section>
      <ol class="passages">
        {item.gold.map((gold) => (
          <li key={`${gold.document} ${gold.before.length} ${gold.text}`}>
            <div>
              <p class="kind">
                {gold.title} · {gold.document}
              </p>
              <p class="text">
                <span class="around">{gold.before}</span>
                <span class="gold">{mark(gold.text)}</span>
                <span class="around">{gold.after}</span>
              </p>
            </div>
          </li>
        ))}
      </ol>
      <aside class="panel" aria-label="Review">
        <KeyButtons keys={actions} />
        <p>
          <kbd>j</kbd> <kbd>k</kbd> next and previous question
        </p>
        <p aria-live="polite">
          {reviewed === items.length
            ? 'All questions are reviewed. Take the accepted ones: touchstone labels export LABELS --to questions -o reviewed.jsonl'
            : `${items.length - reviewed} left.`}
        </p>
      </aside>
    </div>
  )
}
