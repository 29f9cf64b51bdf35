import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { CITATION } from '../../text/passage-marks.ts'
import type { Mark } from '../marks.tsx'
import type { Hit } from './data.ts'
import { Prose } from './prose.tsx'
import type { Answer, Citation, Texts } from './types.d.ts'

interface Context {
  readonly hits: readonly Hit[]
  readonly passages: Texts
  readonly mark: Mark
}

interface Shown extends Omit<Context, 'hits'> {
  readonly answers: readonly Answer[]
  /** Null without retrieval. */
  readonly nameOf: (trial: number) => string | null
  readonly hitsOf: (trial: number) => readonly Hit[]
}

/** Answers with cited passages, values and reasons of judges. */
export function AnswerList({ answers, nameOf, hitsOf, passages, mark }: Shown) {
  return (
    <>
      <h4>Answers ({answers.length})</h4>
      <ul class="gold answers">
        {answers.map((answer, at) => {
          const trial = nameOf(answer.trial)
          return (
            <li key={at}>
              <span class="name" dir="auto">
                {answer.answerer}
              </span>
              <span class="id" dir="auto">
                {trial === null ? 'without retrieval' : `from ${trial}`}
              </span>
              {answer.failure ? (
                <p class="warning" dir="auto">
                  No answer: {answer.failure}
                </p>
              ) : (
                <Cited answer={answer} context={{ hits: hitsOf(answer.trial), passages, mark }} />
              )}
              <Values values={answer.values} />
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** Splits a text into triples: text, citation, its numbers. */
const TRIPLES = new RegExp(`(${CITATION.source})`, CITATION.flags)

/** Text whose citations open passages below it. */
function Cited({ answer: { text, cites }, context }: { readonly answer: Answer; readonly context: Context }) {
  const list = useRef<HTMLUListElement>(null)
  const open = (number: number) => {
    const item = list.current?.querySelector<HTMLDetailsElement>(`[data-number="${number}"]`)
    if (!item) return
    item.open = true
    item.querySelector('summary')?.focus()
  }
  const linked = (group: string): ComponentChildren =>
    group.split(/(\d+)/).map((part, at) => {
      const citation = cites.find(([number]) => part.trim() !== '' && number === Number(part))
      if (!citation) return part
      const title = titleOf(citation, context)
      return title === null ? (
        <span key={at} class="lost" title="No passage has this number.">
          {part}
        </span>
      ) : (
        <button key={at} type="button" class="link" title={title} onClick={() => open(citation[0])}>
          {part}
        </button>
      )
    })
  return (
    <>
      <p dir="auto">
        {text.split(TRIPLES).map((part, at) => [context.mark(part), linked(part), null][at % 3])}
      </p>
      {cites.length > 0 && (
        <ul class="cites" ref={list}>
          {cites.map((citation) => (
            <li key={citation[0]}>{citedPassage(citation, context)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function titleOf([, place, text]: Citation, { passages }: Context): string | null {
  if (place >= 0) return passages.title[place] || passages.id[place]
  return text === '' ? null : text.split('\n')[0]
}

function citedPassage(citation: Citation, context: Context) {
  const { hits, passages, mark } = context
  const [number, place, text] = citation
  const title = titleOf(citation, context)
  if (title === null) return <span class="lost">✗ [{number}] cites no passage that was sent</span>
  const at = place < 0 ? -1 : hits.findIndex((hit) => hit.text === place)
  const about = [
    place < 0 ? 'not a single chunk' : passages.id[place],
    at >= 0 ? `rank ${at + 1}` : '',
    hits[at]?.hit ? 'gold' : '',
  ]
  return (
    <details data-number={String(number)}>
      <summary dir="auto">
        [{number}] <span class="name">{title}</span>
        <span class="id">{about.filter(Boolean).join(' · ')}</span>
      </summary>
      <Prose text={place < 0 ? text : passages.text[place]} mark={mark} />
    </details>
  )
}

/** Values in a line; below them those with reasons. */
function Values({ values }: Pick<Answer, 'values'>) {
  const scored = values.flatMap(({ name, value, reason }) =>
    value === null ? [] : [{ text: `${name} ${(100 * value).toFixed(1)}`, reason }],
  )
  const plain = scored.filter(({ reason }) => reason === '')
  return (
    <>
      {plain.length > 0 && <p class="id">{plain.map(({ text }) => text).join(' · ')}</p>}
      {scored
        .filter(({ reason }) => reason !== '')
        .map(({ text, reason }) => (
          <details key={text} class="reason">
            <summary>{text}</summary>
            {reason.split('\n').map((line, at) => (
              <p key={at} dir="auto">
                {line}
              </p>
            ))}
          </details>
        ))}
    </>
  )
}
