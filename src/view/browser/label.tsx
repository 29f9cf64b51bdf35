import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { markerOf } from '../../report/browser/marks.tsx'
import type { LabelOverview, LabelQuestion, ReviewItem } from '../label-state.ts'
import { fetchJson, postJson } from './server.ts'

/** Script of the labelling pages. An act is shown as stored only after the server has written it. */

interface State {
  readonly label: LabelOverview | null
  readonly review: readonly ReviewItem[]
  readonly last: string | null
}
type Act = { readonly do: string; readonly [field: string]: string | number | undefined }
type Send = (act: Act) => Promise<{ readonly question: LabelQuestion | null } | null>

const root = document.getElementById('work') as HTMLElement
const { as = '', do: task = 'label' } = root.dataset

const address = (path: string, more: Record<string, string> = {}) =>
  `/labels/${path}?${new URLSearchParams({ as, ...more })}`

const ask = <T,>(path: string) => fetchJson<T>('Not stored.', path)

let last: Promise<unknown> = Promise.resolve()

/** Runs actions in sequence; keys do nothing meanwhile. */
function alone(action: () => Promise<unknown>): Promise<unknown> {
  root.setAttribute('data-busy', '')
  const own = last.then(action).finally(() => {
    // After the page has been drawn.
    if (own === last) setTimeout(() => own === last && root.removeAttribute('data-busy'))
  })
  last = own
  return own
}

async function start(): Promise<void> {
  const initial = await ask<State>(address('data'))
  const first = await firstQuestion(initial)
  if (initial) render(<Work initial={initial} first={first} />, root)
}
void start()

function nextOf(label: LabelOverview | null, except = '') {
  const open = label?.questions.filter(({ id, done, total }) => done < total && id !== except) ?? []
  return (open.find(({ decisive }) => decisive > 0) ?? open[0])?.id
}

async function firstQuestion(state: State | null): Promise<LabelQuestion | null> {
  if (task !== 'label' || !state?.label) return null
  const id = nextOf(state.label) ?? state.label.questions[0]?.id
  return id === undefined ? null : ask<LabelQuestion>(address('question', { id }))
}

function Work({ initial, first }: { readonly initial: State; readonly first: LabelQuestion | null }) {
  const [state, setState] = useState(initial)
  const [question, setQuestion] = useState(first)

  const send: Send = async (act) => {
    const answer = await postJson<{
      label: LabelOverview | null
      question: LabelQuestion | null
      last: string | null
    }>('Not stored.', '/labels/act', { as, id: crypto.randomUUID(), act })
    if (answer) {
      const fresh = act.do === 'undo' || task !== 'label' ? await ask<State>(address('data')) : null
      setState(fresh ?? { ...state, label: answer.label, last: answer.last })
    }
    return answer
  }
  const undo = () =>
    alone(async () => {
      if (state.last === null) return
      const answer = await send({ do: 'undo', of: state.last })
      if (answer && question)
        setQuestion((await ask<LabelQuestion>(address('question', { id: question.id }))) ?? question)
    })
  const go = (id: string | undefined) =>
    alone(async () => {
      const found = id === undefined ? null : await ask<LabelQuestion>(address('question', { id }))
      if (found) setQuestion(found)
    })
  if (task === 'review') return <Review items={state.review} send={send} undo={undo} />
  if (!state.label || !question) return <p>There is no passage to label.</p>
  return <Label label={state.label} question={question} show={setQuestion} go={go} send={send} undo={undo} />
}

function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isWriting =
        event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement
      if (isWriting || event.ctrlKey || event.metaKey || event.altKey) return
      const action = keys[event.key]
      if (!action) return
      event.preventDefault()
      if (root.hasAttribute('data-busy')) return
      action()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

interface LabelProps {
  readonly label: LabelOverview
  readonly question: LabelQuestion
  readonly show: (question: LabelQuestion) => void
  readonly go: (id: string | undefined) => void
  readonly send: Send
  readonly undo: () => void
}

function Label({ label, question, show, go, send, undo }: LabelProps) {
  const { passages } = question
  const isOpen = ({ grade, skipped }: (typeof passages)[number]) => grade === null && !skipped
  const [at, setAt] = useState(0)
  useEffect(() => setAt(Math.max(0, passages.findIndex(isOpen))), [question.id])
  useEffect(() => document.getElementById(`p${at}`)?.scrollIntoView({ block: 'nearest' }), [at, question.id])
  const current = passages[at] ?? passages[0]
  const mark = markerOf(question.text, [])
  const act = (one: Act, moves: boolean) =>
    alone(async () => {
      const answer = await send({ ...one, query: question.id, passage: current.id })
      if (!answer?.question) return
      // The order on the page stays.
      const now = new Map(answer.question.passages.map((passage) => [passage.id, passage]))
      const kept = passages.map((passage) => now.get(passage.id) ?? passage)
      show({ ...question, passages: kept })
      if (!moves) return
      const next =
        [...kept.keys()].find((index) => index > at && isOpen(kept[index])) ?? kept.findIndex(isOpen)
      if (next >= 0) setAt(next)
    })
  const before = useRef(passages)
  useLayoutEffect(() => {
    const undone = passages.findIndex((passage, index) => {
      const past = before.current[index]
      return past?.id === passage.id && !isOpen(past) && isOpen(passage)
    })
    before.current = passages
    if (undone >= 0) setAt(undone)
  }, [passages])
  const move = (by: number) => setAt(Math.min(passages.length - 1, Math.max(0, at + by)))
  const comment = () => document.getElementById('comment')?.focus()
  const left = passages.filter(isOpen).length
  const isSettled = !passages.some((passage) => isOpen(passage) && passage.decisive)
  const next = nextOf(label, question.id)
  useKeys({
    ...Object.fromEntries(
      label.grades.map(({ grade }) => [String(grade), () => void act({ do: 'grade', grade }, true)]),
    ),
    s: () => void act({ do: 'skip' }, true),
    c: comment,
    u: undo,
    n: () => go(next),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    j: () => move(1),
    k: () => move(-1),
  })
  const done = label.questions.reduce((sum, one) => sum + one.done, 0)
  const total = label.questions.reduce((sum, one) => sum + one.total, 0)
  return (
    <div class="labelling">
      <section class="asked" aria-label="Question">
        <p class="kind">
          <select
            aria-label="Question"
            value={question.id}
            onChange={({ currentTarget }) => go(currentTarget.value)}
          >
            {label.questions.map((one) => (
              <option key={one.id} value={one.id}>
                {`${one.done}/${one.total} ${one.text.slice(0, 80)}`}
              </option>
            ))}
          </select>{' '}
          <progress max={total} value={done} aria-label="Labelled" /> <span id="done">{done}</span> of {total}
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
              {passage.title === '' ? null : <p class="kind">{passage.title}</p>}
              <p class="text">{mark(passage.text)}</p>
              {passage.comment === '' ? null : <p class="note">{passage.comment}</p>}
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
              onClick={() => act({ do: 'grade', grade }, true)}
            >
              <kbd>{grade}</kbd> <b>{name}</b> <small>{definition}</small>
            </button>
          ))}
        </div>
        <p>
          <button type="button" onClick={() => act({ do: 'skip' }, true)}>
            <kbd>s</kbd> skip
          </button>{' '}
          <button type="button" onClick={undo}>
            <kbd>u</kbd> undo
          </button>{' '}
          <button type="button" onClick={() => go(next)} disabled={next === undefined}>
            <kbd>n</kbd> next question
          </button>
        </p>
        <Comment
          key={current.id}
          text={current.comment}
          store={(text) => act({ do: 'comment', text }, false)}
        />
        <p aria-live="polite">
          {left === 0
            ? next === undefined
              ? 'All passages have a label. Freeze them: touchstone labels export LABELS --to labels -o labelled.jsonl'
              : 'This question is done: press n.'
            : `${left} left here.${isSettled && next !== undefined ? ' None of them can change which trial is first by gain: press n.' : ''}`}
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

interface ReviewProps {
  readonly items: readonly ReviewItem[]
  readonly send: Send
  readonly undo: () => void
}

const VERDICTS = { '': 'not reviewed', accept: 'accepted', reject: 'rejected', edit: 'edited' } as const

function Review({ items, send, undo }: ReviewProps) {
  const [at, setAt] = useState(
    Math.max(
      0,
      items.findIndex(({ verdict }) => verdict === ''),
    ),
  )
  const [editing, setEditing] = useState(false)
  const item = items[at]
  const before = useRef(items)
  useLayoutEffect(() => {
    const undone = items.findIndex(
      ({ verdict }, index) => verdict === '' && before.current[index]?.verdict !== '',
    )
    before.current = items
    if (undone >= 0) setAt(undone)
  }, [items])
  const move = (by: number) => {
    setEditing(false)
    setAt(Math.min(items.length - 1, Math.max(0, at + by)))
  }
  const act = (one: Act) =>
    alone(async () => {
      if (await send({ ...one, query: item.id })) move(1)
    })
  useKeys({
    a: () => void act({ do: 'accept' }),
    r: () => void act({ do: 'reject' }),
    u: undo,
    e: () => setEditing(true),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    j: () => move(1),
    k: () => move(-1),
  })
  if (!item) return <p>There is no question to review.</p>
  const mark = markerOf(item.wording, item.answers)
  const reviewed = items.filter(({ verdict }) => verdict !== '').length
  return (
    <div class="labelling">
      <section class="asked" aria-label="Question">
        <p class="kind">
          {at + 1} of {items.length} · <progress max={items.length} value={reviewed} aria-label="Reviewed" />{' '}
          <span id="done">{reviewed}</span> reviewed · <b>{VERDICTS[item.verdict]}</b>
          {item.category === null ? '' : ` · ${item.category}`}
        </p>
        {editing ? (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const text = new FormData(event.currentTarget).get('wording')
              setEditing(false)
              void act({ do: 'edit', text: String(text) })
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
        {item.answers.length === 0 ? null : <p>Answer: {item.answers.join('; ')}</p>}
        {item.answerable ? null : <p>Meant to have no answer in the corpus.</p>}
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
        <p>
          <button type="button" onClick={() => act({ do: 'accept' })}>
            <kbd>a</kbd> accept
          </button>{' '}
          <button type="button" onClick={() => setEditing(true)}>
            <kbd>e</kbd> edit
          </button>{' '}
          <button type="button" onClick={() => act({ do: 'reject' })}>
            <kbd>r</kbd> reject
          </button>{' '}
          <button type="button" onClick={undo}>
            <kbd>u</kbd> undo
          </button>
        </p>
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
