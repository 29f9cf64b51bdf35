/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { answersOf, hitsOf, labels, meta, numbers, queries, saidOf, scoresOf, texts, trials } from './data.js'
import type { Labels, Numbers, Queries, Texts, Trials } from './types.d.ts'

interface Hit {
  readonly text: number
  readonly score: number
  readonly hit: boolean
  readonly mark: string
}

/** A trial's results for the open query. */
interface Side {
  readonly trial: number
  readonly name: string
  readonly score: number
  readonly hits: readonly Hit[] | null
  readonly said: readonly (readonly [string, string])[]
}

interface Loaded {
  readonly query: number
  readonly all: Queries
  readonly tried: Trials
  readonly judged: Labels
  readonly passages: Texts
  readonly ranks: Numbers
  readonly stages: Numbers
  readonly sides: readonly Side[]
  readonly answers: Awaited<ReturnType<typeof answersOf>>
}

async function load(query: number, a: number, b: number): Promise<Loaded> {
  const [all, tried, judged, passages, ranks, stages] = await Promise.all([
    ...([queries(), trials(), labels(), texts()] as const),
    ...([numbers('ranks'), numbers('stages')] as const),
  ])
  const sides = await Promise.all(
    [...new Set([a, b])].map(async (trial): Promise<Side> => {
      const [scores, hits, said] = await Promise.all([
        scoresOf(trial, meta.primary),
        hitsOf(trial, query),
        saidOf(trial, query),
      ])
      return { trial, name: tried.name[trial], score: scores[query], hits, said }
    }),
  )
  const answers = await answersOf([a, b], query)
  return { query, all, tried, judged, passages, ranks, stages, sides, answers }
}

/** The open query: its gold with every label's fate in both trials, then what both retrieved. */
export function QueryDetail({
  query,
  a,
  b,
}: {
  readonly query: number
  readonly a: number
  readonly b: number
}) {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    let isCurrent = true
    load(query, a, b).then((found) => {
      if (!isCurrent) return
      setLoaded(found)
      if (article.current) article.current.scrollTop = 0
    })
    return () => {
      isCurrent = false
    }
  }, [query, a, b])
  if (!loaded) return <article class="query" id="query" />
  const { all, tried, sides, passages } = loaded
  const at = loaded.query
  const answers = all.answers[at]
  const mark = (text: string) => marked(text, all.text[at], answers)
  const about = [all.id[at], all.category[at], all.answerable[at] ? '' : 'unanswerable: not scored']
    .filter(Boolean)
    .join(' · ')
  return (
    <article class="query" id="query" ref={article} tabIndex={0}>
      <h3 dir="auto" aria-live="polite">
        {all.text[at]}
      </h3>
      <p class="about" dir="auto">
        {about}
      </p>
      {answers.length > 0 && (
        <p class="about" dir="auto">
          Reference answer: <b>{answers.join(' · ')}</b>
        </p>
      )}
      <p class="about">
        {meta.primary}:{' '}
        {sides.map(({ trial, name, score }) => (
          <span key={trial} class="pair">
            {name}: <b>{Number.isNaN(score) ? 'not scored' : (100 * score).toFixed(1)}</b>
          </span>
        ))}
      </p>
      {sides.flatMap(({ trial, name }) => {
        const failure = tried.failures[trial].find(({ query: id }) => id === all.id[at])
        return failure
          ? [
              <p key={trial} class="warning">
                {name} failed in {failure.step}: {failure.message}
              </p>,
            ]
          : []
      })}
      <Gold loaded={loaded} mark={mark} />
      {loaded.answers.length > 0 && <AnswerList loaded={loaded} mark={mark} />}
      <h4>Retrieved</h4>
      <Rankings sides={sides} passages={passages} mark={mark} />
    </article>
  )
}

function Gold({
  loaded: { query, judged, passages, ranks, stages, tried, sides },
  mark,
}: {
  readonly loaded: Loaded
  readonly mark: (text: string) => ComponentChildren
}) {
  const own = judged.query.flatMap((of, label) => (of === query ? [label] : []))
  if (own.length === 0)
    return (
      <>
        <h4>Gold</h4>
        <p class="empty">This query has no gold labels.</p>
      </>
    )
  const { trials: columns, stages: names } = meta.shape
  return (
    <>
      <h4>Gold ({own.length})</h4>
      <ul class="gold">
        {own.map((label) => {
          const text = judged.text[label]
          const id = judged.judged[label]
          return (
            <li key={label}>
              <span class="name" dir="auto">
                {(text >= 0 && passages.title[text]) || id}
              </span>
              <span class="id" dir="auto">
                {id}
                {judged.grade[label] === 1 ? '' : `, grade ${judged.grade[label]}`}
              </span>
              <p dir="auto">{text >= 0 ? mark(passages.text[text]) : 'Its text is not in the corpus.'}</p>
              <dl class="path">
                {sides.flatMap(({ trial, name }) => {
                  const cell = label * columns.length + columns.indexOf(trial)
                  return [
                    <dt key={name}>{name}</dt>,
                    <dd key={trial}>
                      <Fate
                        rank={ranks[cell]}
                        lost={names[stages[cell] - 1] ?? ''}
                        stages={tried.stages[trial]}
                      />
                    </dd>,
                  ]
                })}
              </dl>
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** Answers from both trials and without retrieval, with the values of their measures and judges. */
function AnswerList({
  loaded: { answers, tried },
  mark,
}: {
  readonly loaded: Loaded
  readonly mark: (text: string) => ComponentChildren
}) {
  return (
    <>
      <h4>Answers ({answers.length})</h4>
      <ul class="gold answers">
        {answers.map(({ trial, answerer, text, cited, failure, values }, at) => (
          <li key={at}>
            <span class="name" dir="auto">
              {answerer}
            </span>
            <span class="id" dir="auto">
              {trial < 0 ? 'without retrieval' : `from ${tried.name[trial]}`}
            </span>
            {failure ? (
              <p class="warning" dir="auto">
                No answer: {failure}
              </p>
            ) : (
              <p dir="auto">{mark(text)}</p>
            )}
            <p class="id">
              {[
                ...(cited ? [`cites ${cited.split(' ').join(', ')}`] : []),
                ...values.flatMap(([name, value]) =>
                  value === null ? [] : [`${name} ${(100 * value).toFixed(1)}`],
                ),
              ].join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Names of the stages that a label passed. */
const PASSED = new Map([
  ['not in corpus', 'in corpus'],
  ['not in index', 'in index'],
  ['not in a pool', 'retrieved by a search'],
  ['below depth', 'ranked within the cutoff'],
])

/** Stages that a label passed in a trial, in order, up to the one that lost it. */
export function passedStages(lost: string, stages: readonly string[]): string[] {
  const own = stages.filter((stage) => stage !== 'failed' && stage !== 'found')
  return own
    .slice(0, Math.max(0, own.indexOf(lost)))
    .map((stage) => PASSED.get(stage) ?? stage.replace(/^lost by /, ''))
}

/** A label's fate in one trial: its rank, or the path to the stage that lost it. */
function Fate({
  rank,
  lost,
  stages,
}: {
  readonly rank: number
  readonly lost: string
  readonly stages: readonly string[]
}) {
  if (rank > 0) return <b>rank {rank}</b>
  const passed = passedStages(lost, stages)
  return (
    <>
      <span class="kept">{passed.length > 0 ? `${passed.join(' → ')} → ` : ''}</span>
      <span class="lost">✗ {meta.stageNames[lost] || 'lost'}</span>
    </>
  )
}

/** Both rankings side by side, with a line from each chunk to its place in the other. */
function Rankings({
  sides,
  passages,
  mark,
}: {
  readonly sides: readonly Side[]
  readonly passages: Texts
  readonly mark: (text: string) => ComponentChildren
}) {
  const box = useRef<HTMLDivElement>(null)
  const [lines, setLines] = useState<
    readonly { readonly from: number; readonly to: number; readonly hit: boolean }[]
  >([])
  useLayoutEffect(() => {
    const around = box.current
    if (!around || sides.length < 2) return
    const measure = () => {
      const top = around.getBoundingClientRect().top
      const [left, right] = [0, 1].map(
        (side) =>
          new Map(
            [...around.querySelectorAll<HTMLElement>(`[data-side="${side}"] > li`)].map((item) => {
              const { top: own } = item.getBoundingClientRect()
              return [item.dataset.text, own - top + 14] as const
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
    observer.observe(around)
    return () => observer.disconnect()
  }, [sides])
  return (
    <div class={sides.length > 1 ? 'beside' : 'alone'} ref={box}>
      {sides.map((side, place) => (
        <HitList key={side.trial} place={place} side={side} passages={passages} mark={mark} />
      ))}
      {sides.length > 1 && (
        <svg class="moves" aria-hidden="true">
          {lines.map(({ from, to, hit }) => (
            <line key={`${from}-${to}`} class={hit ? 'hit' : undefined} x1="0" x2="100%" y1={from} y2={to} />
          ))}
        </svg>
      )}
    </div>
  )
}

function HitList({
  place,
  side: { name, hits, said },
  passages,
  mark,
}: {
  readonly place: number
  readonly side: Side
  readonly passages: Texts
  readonly mark: (text: string) => ComponentChildren
}) {
  const notes = said.length > 0 && (
    <dl class="said">
      {said.flatMap(([of, text], at) => [
        <dt key={`${of}${at}`}>{of}</dt>,
        <dd key={at} dir="auto">
          {text}
        </dd>,
      ])}
    </dl>
  )
  return (
    <div class={`side-${place}`}>
      <p class="about">
        <b>{name}</b>
      </p>
      {notes}
      {!hits && <p class="empty">The results of this trial were not stored; only those of finalists are.</p>}
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
                <Passage text={passages.text[text]} mark={mark} />
              </div>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

/** A passage of three lines that a click unfolds. */
function Passage({
  text,
  mark,
}: {
  readonly text: string
  readonly mark: (text: string) => ComponentChildren
}) {
  const [isFolded, setFolded] = useState(true)
  return (
    <>
      <p class={isFolded ? 'fold' : undefined} dir="auto">
        {mark(text)}
      </p>
      {text.length > 160 && (
        <button type="button" class="link" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
          {isFolded ? 'more' : 'less'}
        </button>
      )}
    </>
  )
}

/** Words that say nothing of a question's subject. */
const COMMON = new Set(
  'the and for are was were with from that this what when where which who whom whose why how does did has have had not but its into than then them they their there about after before between'.split(
    ' ',
  ),
)
/** Shortest word of a question that is marked. */
const SHORTEST = 3

/** A text with the question's words and the answers marked. */
export function marked(text: string, question: string, answers: readonly string[]): ComponentChildren {
  const words = (question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => word.length >= SHORTEST && !COMMON.has(word),
  )
  const literal = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const wanted = answers.filter((answer) => answer.trim().length > 1).map(literal)
  if (words.length + wanted.length === 0) return text
  const alternatives = [
    ...wanted.map((answer) => `(${answer})`),
    ...(words.length > 0 ? [`(?:${[...new Set(words)].map(literal).join('|')})`] : []),
  ]
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(end, match.index))
    const isAnswer = match.slice(1).some((group) => group !== undefined)
    parts.push(
      <mark key={match.index} class={isAnswer ? 'answer' : 'term'}>
        {match[0]}
      </mark>,
    )
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)]
}
