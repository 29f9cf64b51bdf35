// @ts-check

import { specOf } from './charts.js'
import { csvText } from './csv.js'
import { latex, meta, numbers, queries, scoresOf, texts, trials } from './data.js'
import { fileName, save } from './dom.js'

/**
 * Saves one of the downloads of the page.
 * @param {string} what
 */
export async function download(what) {
  const name = (/** @type {string} */ part) => fileName(`${meta.experiment}-${part}`)
  if (what === 'trials') save(`${name('trials')}.csv`, await trialsCsv())
  else if (what === 'scores') save(`${name('scores')}.csv`, await scoresCsv())
  else if (what === 'latex') save(`${name('leaderboard')}.tex`, await latex(), 'application/x-tex')
  else if (what === 'runs')
    for (const [trial, text] of await trecRuns()) save(`${name(trial)}.trec`, text, 'text/plain')
  else if (what === 'specs') {
    const specs = Object.fromEntries(Object.keys(meta.charts).map((id) => [id, specOf(id)]))
    save(`${name('specs')}.json`, JSON.stringify(specs, null, 2), 'application/json')
  }
}

async function trialsCsv() {
  const all = await trials()
  const params = [...new Set(all.varied.flatMap((varied) => Object.keys(varied)))]
  const header = [
    'rank',
    'id',
    'name',
    'strategy',
    ...params,
    ...meta.measures,
    `${meta.primary} low`,
    `${meta.primary} high`,
    `tokens@${meta.chunks}`,
  ]
  const rows = all.id.map((id, place) => [
    all.rank[place],
    id,
    all.name[place],
    all.strategy[place],
    ...params.map((param) => {
      const value = all.varied[place][param]
      return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
    }),
    ...meta.measures.map((measure) => all.means[measure][place]),
    all.low[place],
    all.high[place],
    all.tokens[place],
  ])
  return csvText(header, rows)
}

/** One row a (trial, query), a column a measure, for the trials whose scores are in the page. */
async function scoresCsv() {
  const [all, asked] = await Promise.all([trials(), queries()])
  const { measures, trials: places } = meta.shape
  /** @type {import('./types.d.ts').Cell[][]} */
  const rows = []
  for (const trial of places) {
    const columns = await Promise.all(measures.map((measure) => scoresOf(trial, measure)))
    asked.id.forEach((query, number) => {
      if (!Number.isNaN(columns[0]?.[number]))
        rows.push([
          all.name[trial],
          query,
          asked.category[number],
          ...columns.map((column) => column[number]),
        ])
    })
  }
  return csvText(['trial', 'query', 'category', ...measures], rows)
}

/**
 * Each kept list as a TREC run, collapsed to judged ids. The score column counts down, since the page keeps scores to
 * a few digits, which could tie.
 * @returns {Promise<[string, string][]>}
 */
async function trecRuns() {
  const [all, asked, passages, chunks] = await Promise.all([trials(), queries(), texts(), numbers('chunks')])
  const { lists, ranks } = meta.shape
  return lists.map((trial, place) => {
    const tag = fileName(all.name[trial])
    const lines = asked.id.flatMap((query, number) => {
      const start = (place * asked.id.length + number) * ranks
      const ids = new Set()
      for (let cell = start; cell < start + ranks; cell++)
        if (chunks[cell] > 0) ids.add(passages.judged[chunks[cell] - 1])
      return [...ids].map((id, rank) => [query, 'Q0', id, rank + 1, ranks - rank, tag].map(field).join(' '))
    })
    return [tag, `${lines.join('\n')}\n`]
  })
}

/**
 * The format separates by white space, so an id may hold none.
 * @param {unknown} value
 */
function field(value) {
  return String(value).replace(/\s+/g, '_')
}
