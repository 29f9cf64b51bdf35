import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Mark } from '../marks.tsx'
import type { Hit } from './data.ts'
import { Prose } from './prose.tsx'
import type { Counts, StepRanks, Texts, Walk } from './types.d.ts'

export interface Side {
  readonly trial: number
  readonly name: string
  readonly score: number
  readonly costs?: string
  readonly failed?: string
  readonly hits: readonly Hit[] | null
  readonly said: Counts
  readonly steps: readonly StepRanks[]
  readonly walks: readonly Walk[]
}

interface Shown {
  readonly passages: Texts
  readonly mark: Mark
  readonly addition?: (side: number, rank: number, text: number) => ComponentChildren
}

/** Rankings side by side; lines connect the places of a chunk in two of them. */
export function Rankings({ sides, ...shown }: Shown & { readonly sides: readonly Side[] }) {
  const box = useRef<HTMLDivElement>(null)
  const [lines, setLines] = useState<
    readonly { readonly from: number; readonly to: number; readonly hit: boolean }[]
  >([])
  useLayoutEffect(() => {
    const container = box.current
    if (!container || sides.length !== 2) return
    const measure = () => {
      const top = container.getBoundingClientRect().top
      const [left, right] = [0, 1].map(
        (side) =>
          new Map(
            [...container.querySelectorAll<HTMLElement>(`[data-side="${side}"] > li`)].map((item) => {
              const { top: itemTop } = item.getBoundingClientRect()
              return [item.dataset.text, itemTop - top + 14] as const
            }),
          ),
      )
      const gold = new Set((sides[0].hits ?? []).flatMap(({ text, hit }) => (hit ? [String(text)] : [])))
      setLines(
        [...left].flatMap(([text, from]) => {
          const to = right.get(text)
          return to === undefined ? [] : [{ from, to, hit: gold.has(String(text)) }]
        }),
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(container)
    return () => observer.disconnect()
  }, [sides])
  return (
    <div class={['alone', 'beside', 'three'][sides.length - 1]} ref={box}>
      {sides.map((side, place) => hitList(side, place, shown))}
      {sides.length === 2 && (
        <svg class="moves" aria-hidden="true">
          {lines.map(({ from, to, hit }) => (
            <line key={`${from}-${to}`} class={hit ? 'hit' : undefined} x1="0" x2="100%" y1={from} y2={to} />
          ))}
        </svg>
      )}
    </div>
  )
}

/** Searches that found gold, then other counters and notes. */
function saidLines({ counts, notes }: Counts): (readonly [name: string, text: string])[] {
  const searches = counts.flatMap(([name, value]) => {
    const [, channels] = /^gold: (.*)$/.exec(name) ?? []
    if (channels === undefined) return []
    return [`${channels === 'none' ? 'no search' : channels.replaceAll('+', ' and ')} (${value})`]
  })
  const others = counts.filter(([name]) => !name.startsWith('gold: ')).map((pair) => pair.join(' '))
  return [
    ...(searches.length > 0 ? [['gold passages found by', searches.join(', ')] as const] : []),
    ...(others.length > 0 ? [['counted', others.join(', ')] as const] : []),
    ...notes,
  ]
}

function hitList(
  { trial, name, costs, failed, hits, said, steps }: Side,
  place: number,
  { passages, mark, addition }: Shown,
) {
  const notes = saidLines(said)
  return (
    <div key={trial} class={`side-${place}`}>
      <p class="about">
        <b>{name}</b>
        {costs && ` · ${costs}`}
      </p>
      {failed && (
        <p class="warning" dir="auto">
          {failed}
        </p>
      )}
      {notes.length > 0 && (
        <dl class="said">
          {notes.flatMap(([of, text], at) => [
            <dt key={`${of}${at}`}>{of}</dt>,
            <dd key={at} dir="auto">
              {text}
            </dd>,
          ])}
        </dl>
      )}
      {!hits && !failed && (
        <p class="empty">The results of this trial were not stored; only those of finalists are.</p>
      )}
      {hits?.length === 0 && <p class="empty">It retrieved nothing.</p>}
      {hits && hits.length > 0 && (
        <ol class="hits" data-side={place}>
          {hits.map(({ text, score, hit, mark: word }, rank) => (
            <li key={rank} class={hit ? 'hit' : undefined} data-text={text}>
              <span class="rank">{rank + 1}</span>
              <div>
                <span class="score" title="score">
                  {Number(score.toPrecision(3)).toString()}
                </span>
                <span class="name" dir="auto">
                  {passages.title[text] || passages.id[text]}
                </span>
                <span class="id" dir="auto">
                  {[passages.id[text], word, hit ? 'gold' : ''].filter(Boolean).join(' · ')}
                </span>
                {stepLine(steps, rank)}
                {addition?.(place, rank + 1, text)}
                <Passage text={passages.text[text]} mark={mark} />
              </div>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

/** `dense 3 (0.62) → fuse 1 (0.91)`; steps that changed nothing are left out. */
function stepLine(steps: readonly StepRanks[], place: number) {
  const shown = steps.flatMap(({ step, ranks, scores }, at) => {
    const [rank, score] = [ranks[place], scores[place]]
    const before = steps[at - 1]
    if (rank === undefined || (before?.ranks[place] === rank && before.scores[place] === score)) return []
    return [{ step, rank, score }]
  })
  if (shown.length === 0) return null
  return (
    <span class="id steps">
      {shown.map(({ step, rank, score }, at) => (
        <span key={step}>
          {at > 0 && ' → '}
          {step} <b>{rank > 0 ? rank : '–'}</b>
          {rank > 0 && ` (${score})`}
        </span>
      ))}
    </span>
  )
}

/** Three lines that unfold. */
function Passage({ text, mark }: { readonly text: string; readonly mark: Mark }) {
  const [isFolded, setFolded] = useState(true)
  return (
    <>
      {isFolded ? (
        <p class="fold" dir="auto">
          {mark(text)}
        </p>
      ) : (
        <Prose text={text} mark={mark} />
      )}
      <button type="button" class="link" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
        {isFolded ? 'more' : 'less'}
      </button>
    </>
  )
}
