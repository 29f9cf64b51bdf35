// @ts-check
import { labels, markWords, meta, numbers, queries, said, scoresOf, texts, trials } from './data.js'
import { element } from './dom.js'
import { pair } from './pair.js'
import { pathItem } from './path.js'
/** @import {Labels, Numbers, Texts, Trials} from './types.d.ts' */

/**
 * Shows one query: its gold with every label's fate in both trials, then what both retrieved.
 * @param {number} query
 */
export async function showQuery(query) {
  const article = document.getElementById('query')
  if (!article) return
  const [all, judged, passages, tried] = await Promise.all([queries(), labels(), texts(), trials()])
  const [ranks, stages] = await Promise.all([numbers('ranks'), numbers('stages')])
  const places = pair.a === pair.b ? [pair.a] : [pair.a, pair.b]
  const scores = await Promise.all(places.map((trial) => scoresOf(trial, meta.primary)))
  const lists = await Promise.all(places.map((trial) => hitsOf(trial, query)))
  const words = await Promise.all(places.map((trial) => saidOf(trial, query)))

  const answers = all.answers[query]
  const about = [all.id[query], all.category[query], all.answerable[query] ? '' : 'unanswerable: not scored']
    .filter(Boolean)
    .join(' · ')
  const results = places.map((trial, at) => {
    const score = scores[at][query]
    return element(
      'span',
      { class: 'pair' },
      `${tried.name[trial]}: `,
      element('b', {}, Number.isNaN(score) ? 'not scored' : (100 * score).toFixed(1)),
    )
  })
  article.replaceChildren(
    element('h3', { dir: 'auto' }, all.text[query]),
    element('p', { class: 'about', dir: 'auto' }, about),
    answers.length > 0
      ? element('p', { class: 'about', dir: 'auto' }, 'Answer: ', element('b', {}, answers.join(' · ')))
      : '',
    element('p', { class: 'about' }, `${meta.primary}: `, ...results),
    ...places.flatMap((trial) => failure(tried, trial, all.id[query])),
    ...gold(query, judged, passages, places, tried, ranks, stages),
    element('h4', {}, 'Retrieved'),
    element(
      'div',
      { class: 'beside' },
      ...places.map((trial, at) => hitList(tried.name[trial], lists[at], passages, words[at])),
    ),
  )
  article.tabIndex = 0
  article.scrollTop = 0
}

/**
 * @param {Trials} tried
 * @param {number} trial
 * @param {string} id
 */
function failure(tried, trial, id) {
  const found = tried.failures[trial].find(({ query }) => query === id)
  return found
    ? [element('p', { class: 'warning' }, `${tried.name[trial]} failed in ${found.step}: ${found.message}`)]
    : []
}

/**
 * @param {number} query
 * @param {Labels} judged
 * @param {Texts} passages
 * @param {number[]} places
 * @param {Trials} tried
 * @param {Numbers} ranks
 * @param {Numbers} stages
 */
function gold(query, judged, passages, places, tried, ranks, stages) {
  const own = judged.query.flatMap((of, label) => (of === query ? [label] : []))
  if (own.length === 0)
    return [element('h4', {}, 'Gold'), element('p', { class: 'empty' }, 'This query has no gold labels.')]
  const { trials: columns, stages: names } = meta.shape
  const items = own.map((label) => {
    const text = judged.text[label]
    const fates = places.flatMap((trial) => {
      const cell = label * columns.length + columns.indexOf(trial)
      return pathItem(tried.name[trial], ranks[cell], names[stages[cell] - 1] ?? '', tried.stages[trial])
    })
    return element(
      'li',
      {},
      element(
        'span',
        { class: 'name', dir: 'auto' },
        (text >= 0 && passages.title[text]) || judged.judged[label],
      ),
      element(
        'span',
        { class: 'id', dir: 'auto' },
        `${judged.judged[label]}${judged.grade[label] === 1 ? '' : `, grade ${judged.grade[label]}`}`,
      ),
      text >= 0 ? passage(passages.text[text]) : element('p', {}, 'Its text is not in the corpus.'),
      element('dl', { class: 'path' }, ...fates),
    )
  })
  return [element('h4', {}, `Gold (${own.length})`), element('ul', { class: 'gold' }, ...items)]
}

/** @param {string} text */
function passage(text) {
  const made = element('p', { class: 'fold', dir: 'auto', title: 'click to unfold' }, text)
  made.addEventListener('click', () => made.classList.toggle('fold'))
  return made
}

/** @typedef {{text: number, score: number, hit: boolean, mark: string}} Hit */

/**
 * Results of a trial for a query; null if they were not stored.
 * @param {number} trial
 * @param {number} query
 * @returns {Promise<Hit[] | null>}
 */
async function hitsOf(trial, query) {
  const { lists, ranks, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (place < 0) return null
  const [chunks, hits, scores, marks, words] = await Promise.all([
    numbers('chunks'),
    numbers('hits'),
    numbers('listScores'),
    numbers('marks'),
    markWords(),
  ])
  const start = (place * count + query) * ranks
  const found = []
  for (let cell = start; cell < start + ranks; cell++)
    if (chunks[cell] > 0)
      found.push({
        text: chunks[cell] - 1,
        score: scores[cell],
        hit: hits[cell] > 0,
        mark: marks[cell] > 0 ? words[marks[cell] - 1] : '',
      })
  return found
}

/**
 * Counters and notes of a trial's steps for a query, by name; empty if its results were not stored.
 * @param {number} trial
 * @param {number} query
 * @returns {Promise<[string, string][]>}
 */
export async function saidOf(trial, query) {
  const { lists, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (place < 0) return []
  const { names, texts: all, counted, noted } = await said()
  const cell = place * count + query
  const counts = pairs(counted[cell]).map(([name, value]) => `${names[name]} ${value}`)
  /** @type {[string, string][]} */
  const notes = pairs(noted[cell]).map(([name, text]) => [names[name], all[text]])
  return counts.length > 0 ? [['counted', counts.join(', ')], ...notes] : notes
}

/**
 * A trial's counter of a name, by query: undefined if no step has it, 0 if it did not count for the query.
 * @param {number} trial
 * @param {string} name
 * @returns {Promise<(query: number) => number | undefined>}
 */
export async function countOf(trial, name) {
  const { lists, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (place < 0) return () => undefined
  const { names, counted } = await said()
  const own = counted.slice(place * count, (place + 1) * count).map(pairs)
  const wanted = names.indexOf(name)
  if (!own.some((cell) => cell.some(([at]) => at === wanted))) return () => undefined
  return (query) => own[query].find(([at]) => at === wanted)?.[1] ?? 0
}

/** @param {readonly number[]} flat */
function pairs(flat) {
  return flat.flatMap((first, at) => (at % 2 === 0 ? [[first, flat[at + 1]]] : []))
}

/**
 * @param {string} name
 * @param {Hit[] | null} hits
 * @param {Texts} passages
 * @param {[string, string][]} words what its steps counted and said
 */
function hitList(name, hits, passages, words) {
  const title = element('p', { class: 'about' }, element('b', {}, name))
  const notes = words.flatMap(([of, text]) => [element('dt', {}, of), element('dd', { dir: 'auto' }, text)])
  const head = element('div', {}, title, notes.length > 0 ? element('dl', { class: 'said' }, ...notes) : '')
  if (!hits)
    return element(
      'div',
      {},
      head,
      element(
        'p',
        { class: 'empty' },
        'The results of this trial were not stored; only those of finalists are.',
      ),
    )
  if (hits.length === 0)
    return element('div', {}, head, element('p', { class: 'empty' }, 'It retrieved nothing.'))
  const items = hits.map(({ text, score, hit, mark }, place) =>
    element(
      'li',
      { class: hit ? 'hit' : null },
      element('span', { class: 'rank' }, String(place + 1)),
      element(
        'div',
        {},
        element('span', { class: 'score', title: 'score' }, Number(score.toPrecision(3)).toString()),
        element('span', { class: 'name', dir: 'auto' }, passages.title[text] || passages.id[text]),
        element(
          'span',
          { class: 'id', dir: 'auto' },
          [passages.id[text], mark, hit ? 'gold' : ''].filter(Boolean).join(' · '),
        ),
        passage(passages.text[text]),
      ),
    ),
  )
  return element('div', {}, head, element('ol', { class: 'hits' }, ...items))
}
