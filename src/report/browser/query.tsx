import { useEffect, useRef } from 'preact/hooks'
import { type Mark, markerOf } from '../marks.tsx'
import { AnswerList } from './answers.tsx'
import {
  answersOf,
  breakdownOf,
  hitsOf,
  labels,
  meta,
  numbers,
  queries,
  routes,
  saidOf,
  scoresOf,
  texts,
  trials,
  walksOf,
} from './data.ts'
import { Prose } from './prose.tsx'
import { Rankings, type Side } from './rankings.tsx'
import { useLoaded } from './select.tsx'
import { Walk, walkPicture } from './walk.tsx'

type Loaded = Awaited<ReturnType<typeof load>>

async function load(query: number, a: number, b: number) {
  const [all, tried, judged, passages, ranks, stages] = await Promise.all([
    queries(),
    trials(),
    labels(),
    texts(),
    numbers('ranks'),
    numbers('stages'),
  ])
  const sides = await Promise.all(
    [...new Set([a, b])].map(async (trial): Promise<Side> => {
      const [scores, hits, said, steps, walks] = await Promise.all([
        scoresOf(trial, meta.primary),
        hitsOf(trial, query),
        saidOf(trial, query),
        breakdownOf(trial, query),
        walksOf(trial, query),
      ])
      return { trial, name: tried[trial].name, score: scores[query], hits, said, steps, walks }
    }),
  )
  const answers = await answersOf([a, b], query)
  const routed = (await routes()).filter(({ queries }) => queries.includes(query))
  return { query, all, tried, judged, passages, ranks, stages, sides, answers, routed }
}

export function QueryDetail({ query, a, b }: Readonly<Record<'query' | 'a' | 'b', number>>) {
  const loaded = useLoaded(() => load(query, a, b), [query, a, b])
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    if (article.current) article.current.scrollTop = 0
  }, [loaded])
  if (!loaded) return <article class="query" id="query" />
  const { all, tried, sides, passages } = loaded
  const at = loaded.query
  const answers = all.answers[at]
  const mark = markerOf(all.text[at], answers)
  const nameOf = (trial: number) => (trial < 0 ? null : tried[trial].name)
  const resultsOf = (trial: number) => sides.find((side) => side.trial === trial)?.hits ?? []
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
      {loaded.routed.length > 0 && (
        <p class="about" dir="auto">
          Chosen arm:{' '}
          {loaded.routed.map(({ router, arm }, at) => (
            <bdi key={router}>
              {at > 0 && ' · '}
              <b>{arm}</b> ({router})
            </bdi>
          ))}
        </p>
      )}
      {sides.flatMap(({ trial, name }) => {
        const failure = tried[trial].failures.find(({ query: id }) => id === all.id[at])
        return failure
          ? [
              <p key={trial} class="warning">
                {name} failed in {failure.step}: {failure.message}
              </p>,
            ]
          : []
      })}
      {gold(loaded, mark)}
      {loaded.answers.length > 0 && (
        <AnswerList
          answers={loaded.answers}
          nameOf={nameOf}
          hitsOf={resultsOf}
          passages={passages}
          mark={mark}
        />
      )}
      {sides.map((side) => walksOfSide(side, loaded))}
      <h4>Retrieved</h4>
      {sides.some(({ steps }) => steps.length > 0) && (
        <p class="about">Below a title: the passage’s rank, and its score in brackets, after each step.</p>
      )}
      <Rankings sides={sides} passages={passages} mark={mark} />
    </article>
  )
}

function walksOfSide({ name, hits, walks }: Side, { query, judged, passages }: Loaded) {
  if (walks.length === 0 || !hits) return null
  const passageOf = (text: number) => ({ title: passages.title[text] || passages.id[text], place: text })
  const retrieved = hits.map(({ text, hit }, at) => ({ rank: at + 1, gold: hit, ...passageOf(text) }))
  const lost = judged.query.flatMap((of, label) => {
    const text = judged.text[label]
    const isLost = of === query && judged.grade[label] > 0 && text >= 0
    return isLost && !hits.some((hit) => hit.text === text)
      ? [{ rank: 0, gold: true, ...passageOf(text) }]
      : []
  })
  return walks.map(({ step, links }) => (
    <Walk key={step} name={`${name}: ${step}`} picture={walkPicture(links, [...retrieved, ...lost])} />
  ))
}

function gold({ query, judged, passages, ranks, stages, tried, sides }: Loaded, mark: Mark) {
  const labels = judged.query.flatMap((of, label) => (of === query ? [label] : []))
  if (labels.length === 0)
    return (
      <>
        <h4>Gold</h4>
        <p class="empty">This query has no gold labels.</p>
      </>
    )
  const { trials: columns, stages: names } = meta.shape
  return (
    <>
      <h4>Gold ({labels.length})</h4>
      <ul class="gold">
        {labels.map((label) => {
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
              {text >= 0 ? (
                <Prose text={passages.text[text]} mark={mark} />
              ) : (
                <p>Its text is not in the corpus.</p>
              )}
              <dl class="path">
                {sides.flatMap(({ trial, name }) => {
                  const cell = label * columns.length + columns.indexOf(trial)
                  return [
                    <dt key={name}>{name}</dt>,
                    <dd key={trial}>
                      {fateOf(ranks[cell], names[stages[cell] - 1] ?? '', tried[trial].stages)}
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

const PASSED = new Map([
  ['not in corpus', 'in corpus'],
  ['not in index', 'in index'],
  ['not in a pool', 'retrieved by a search'],
  ['below depth', 'ranked within the cutoff'],
])

/** Stages before the one that lost a label. */
function passedStages(lost: string, stages: readonly string[]): string[] {
  const lossStages = stages.filter((stage) => stage !== 'failed' && stage !== 'found')
  return lossStages
    .slice(0, Math.max(0, lossStages.indexOf(lost)))
    .map((stage) => PASSED.get(stage) ?? stage.replace(/^lost by /, ''))
}

/** A label's rank, or the path to the stage that lost it. */
function fateOf(rank: number, lost: string, stages: readonly string[]) {
  if (rank > 0) return <b>rank {rank}</b>
  const passed = passedStages(lost, stages)
  return (
    <>
      <span class="kept">{passed.map((stage) => `${stage} → `).join('')}</span>
      <span class="lost">✗ {meta.stageNames[lost] || 'lost'}</span>
    </>
  )
}
