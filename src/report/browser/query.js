// @ts-check
import { labels, meta, numbers, queries, scoresOf, texts, trials } from './data.js'
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
      ...places.map((trial, at) => hitList(tried.name[trial], lists[at], passages)),
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
    return [element('h4', {}, 'Gold'), element('p', { class: 'empty' }, 'This query has no gold.')]
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

/** @typedef {{text: number, score: number, hit: boolean}} Hit */

/**
 * What a trial retrieved for a query; null where its lists were not kept.
 * @param {number} trial
 * @param {number} query
 * @returns {Promise<Hit[] | null>}
 */
async function hitsOf(trial, query) {
  const { lists, ranks, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (place < 0) return null
  const [chunks, hits, scores] = await Promise.all([
    numbers('chunks'),
    numbers('hits'),
    numbers('listScores'),
  ])
  const start = (place * count + query) * ranks
  const found = []
  for (let cell = start; cell < start + ranks; cell++)
    if (chunks[cell] > 0) found.push({ text: chunks[cell] - 1, score: scores[cell], hit: hits[cell] > 0 })
  return found
}

/**
 * @param {string} name
 * @param {Hit[] | null} hits
 * @param {Texts} passages
 */
function hitList(name, hits, passages) {
  const head = element('p', { class: 'about' }, element('b', {}, name))
  if (!hits)
    return element(
      'div',
      {},
      head,
      element('p', { class: 'empty' }, 'The passages of this trial were not kept; those of finalists are.'),
    )
  if (hits.length === 0)
    return element('div', {}, head, element('p', { class: 'empty' }, 'It retrieved nothing.'))
  const items = hits.map(({ text, score, hit }, place) =>
    element(
      'li',
      { class: hit ? 'hit' : null },
      element('span', { class: 'rank' }, String(place + 1)),
      element(
        'div',
        {},
        element('span', { class: 'score', title: 'score' }, Number(score.toPrecision(3)).toString()),
        element('span', { class: 'name', dir: 'auto' }, passages.title[text] || passages.id[text]),
        element('span', { class: 'id', dir: 'auto' }, `${passages.id[text]}${hit ? ' · gold' : ''}`),
        passage(passages.text[text]),
      ),
    ),
  )
  return element('div', {}, head, element('ol', { class: 'hits' }, ...items))
}
