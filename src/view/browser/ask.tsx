import { render } from 'preact'
import { useState } from 'preact/hooks'
import { type AskedHit, type AskedTrial, type AskedTrials, changeOf } from '../../library/asked-types.ts'
import { Rankings, type Side } from '../../report/browser/rankings.tsx'
import { markerOf } from '../../report/marks.tsx'
import { postJson } from './server.ts'

/** Script of the page that asks trials. */

const form = document.getElementById('ask') as HTMLFormElement
const state = document.getElementById('state') as HTMLElement
const results = document.getElementById('asked') as HTMLElement

let last = 0
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const fields = new FormData(form)
  const question = String(fields.get('question')).trim()
  const trials = fields.getAll('trial').map(String).filter(Boolean)
  const current = ++last
  state.textContent = 'Asking. The first question of a trial prepares it; the terminal shows the progress.'
  const depth = Number(fields.get('depth'))
  const answer = await postJson<AskedTrials>('Not asked.', '/ask/trials', { question, trials, depth })
  // A later question has its own answer.
  if (current !== last) return
  state.textContent = answer ? `${answer.passages.length} passages.` : ''
  if (answer) render(<Asked key={current} answer={answer} />, results)
})

form.addEventListener('keydown', (event) => {
  if (
    event.key !== 'Enter' ||
    event.shiftKey ||
    event.isComposing ||
    !(event.target instanceof HTMLTextAreaElement)
  )
    return
  event.preventDefault()
  form.requestSubmit()
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target !== document.body) return
  event.preventDefault()
  document.getElementById('question')?.focus()
})

function Asked({ answer }: { readonly answer: AskedTrials }) {
  const { question, id, passages, trials } = answer
  const [gold, setGold] = useState<ReadonlyMap<number, string>>(new Map())
  const toggle = (passage: number) => {
    const next = new Map(gold)
    if (!next.delete(passage)) next.set(passage, selectedIn(passage) ?? passages[passage].text)
    setGold(next)
  }
  const first = trials.find(({ failed }) => failed === null)
  const changeInWords = (hit: AskedHit, rank: number) =>
    hit.first === undefined
      ? ''
      : `${changeOf(hit, rank)} · ${first?.trial}: ${hit.first === null ? 'no rank' : `rank ${hit.first}`}`
  const addition = (side: number, rank: number, passage: number) => (
    <span class="pick" data-passage={passage}>
      <span class="change">{changeInWords(trials[side].hits[rank - 1], rank)}</span>{' '}
      {form.dataset.files && id === null && (
        <button type="button" aria-pressed={gold.has(passage)} onClick={() => toggle(passage)}>
          answers it
        </button>
      )}
    </span>
  )
  return (
    <article class="query">
      <Rankings
        sides={trials.map((trial, place) => sideOf(trial, place, gold))}
        passages={{
          id: passages.map(({ id }) => id),
          title: passages.map(({ title }) => title),
          text: passages.map(({ text }) => text),
        }}
        mark={markerOf(question, [])}
        addition={addition}
      />
      {id === null ? (
        <Add question={question} answer={answer} gold={gold} />
      ) : (
        <p class="about">
          This is the question <b>{id}</b> of the dataset. To change its gold: touchstone labels audit.
        </p>
      )}
    </article>
  )
}

function Add({
  question,
  answer,
  gold,
}: {
  readonly question: string
  readonly answer: AskedTrials
  readonly gold: ReadonlyMap<number, string>
}) {
  const [stored, setStored] = useState<string | null>(null)
  if (!form.dataset.files) return null
  const add = async () => {
    const quotes = [...gold].map(([passage, quote]) => ({
      document: answer.passages[passage].document,
      quote,
    }))
    const answered = await postJson<{ id: string; files: readonly string[] }>('Not added.', '/ask/question', {
      text: question,
      gold: quotes,
    })
    if (answered)
      setStored(
        `Added as ${answered.id} to ${answered.files.join(' and ')}. Run the config again to score it.`,
      )
  }
  return (
    <div class="adding">
      <button type="button" class="button" disabled={gold.size === 0 || stored !== null} onClick={add}>
        Add as question
      </button>{' '}
      <span role="status">
        {stored ??
          (gold.size === 0
            ? 'Mark the passages that answer it. Select a sentence first to mark that sentence alone.'
            : `${gold.size} marked`)}
      </span>
    </div>
  )
}

function selectedIn(passage: number): string | undefined {
  const selection = getSelection()
  const text = selection?.toString().trim()
  const item = selection?.anchorNode?.parentElement?.closest(`[data-text="${passage}"]`)
  return text && item?.contains(selection?.focusNode ?? null) ? text : undefined
}

function sideOf(
  { trial, failed, milliseconds, tokens, steps, counters, notes, hits }: AskedTrial,
  place: number,
  gold: ReadonlyMap<number, string>,
): Side {
  const times = steps.map(({ step, milliseconds }) => `${step} ${milliseconds.toFixed(1)} ms`)
  const names = [...new Set(hits.flatMap(({ ranked }) => ranked.map(({ step }) => step)))]
  const placed = names.map((step) => ({
    step,
    at: hits.map(({ ranked }) => ranked.find((entry) => entry.step === step)),
  }))
  return {
    trial: place,
    name: trial,
    score: Number.NaN,
    ...(failed === null
      ? { costs: `${milliseconds.toFixed(1)} ms, ${tokens.toLocaleString('en')} tokens` }
      : { failed }),
    hits:
      failed === null
        ? hits.map(({ passage, score, mark }) => ({
            text: passage,
            score,
            mark: mark ?? '',
            hit: gold.has(passage),
          }))
        : null,
    said: {
      counts: Object.entries(counters),
      notes: [...(times.length > 0 ? [['time', times.join(', ')] as const] : []), ...notes],
    },
    steps: placed.map(({ step, at }) => ({
      step,
      ranks: at.map((step) => step?.rank ?? 0),
      scores: at.map((step) => Number((step?.score ?? 0).toPrecision(4))),
    })),
    walks: [],
  }
}
