import type { Costs } from './costs.ts'

/** Figures that the cells of docs/deviations.md are made of. */
interface Figures {
  /** Mean of a trial in points: recall@5 if no measure is named. */
  mean(experiment: string, trial: string, measure?: string): string
  /** Difference of a trial in points, without and with its interval; without one, the number of changed questions. */
  gain(experiment: string, trial: string, measure?: string): string
  interval(experiment: string, trial: string): string
  changed(experiment: string, trial: string): number
  queries(experiment: string): number
  /** Figure of a change of the code. */
  change(name: string, figure: string): number
}

type Cell = (f: Figures) => string

const percent = (share: number) => (100 * share).toFixed(1)
const points = (share: number) => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`

function twoMeans(f: Figures, trial: string, ours: string, suffix = ''): string {
  const both = (name: string) =>
    `${f.mean(`hotpotqa${suffix}`, name)} on hotpotqa, ${f.mean(`musique${suffix}`, name)} on musique`
  return `${both(trial)}; ours ${f.mean(`hotpotqa${suffix}`, ours)}, ${f.mean(`musique${suffix}`, ours)}`
}

/** Cells of the column "cost" that hold figures of experiments, by strategy and part. */
export const CELLS: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  'graphrag-local': {
    'relationships with an unknown end': (f) => {
      const of = (figure: string) => f.change('unknown ends kept', figure)
      return `${of('left out')} of ${of('relationships')} in graphrag-christmas-carol; kept, as relationships to entities without text: recall@1 to recall@5 the same, MRR@10 ${points(of('MRR@10'))}, on ${of('queries')} questions with \`lsa\``
    },
  },
  drift: {
    'query for the reports': (f) =>
      `\`hyde\` by the 0.5B model before drift: ${f.interval('hotpotqa-model', 'drift-hyde')} on the ${f.queries('hotpotqa-model')} questions of hotpotqa`,
    'follow-ups of a round': (f) => {
      const of = (set: string) =>
        ['least', 'most']
          .map((which) => percent(f.change('follow-ups shuffled', `${set}, ${which}`)))
          .join(' to ')
      const inOrder = (set: string) => percent(f.change('follow-ups shuffled', `${set}, in order`))
      return `shuffled with 3 seeds, in an earlier version: ${of('hotpotqa')} on hotpotqa, ${of('musique')} on musique; ours of that version ${inOrder('hotpotqa')}, ${inOrder('musique')}`
    },
    'without a model': (f) =>
      `${f.mean('musique', 'drift')} on musique, ${f.mean('hotpotqa', 'drift')} on hotpotqa; \`graphrag-local\` ${f.mean('musique', 'graphrag-local')}, ${f.mean('hotpotqa', 'graphrag-local')}. With a model: not measured`,
  },
  'lazy-graphrag': {
    graph: (f) => {
      const of = (graph: string) =>
        `\`${graph}\`: ${twoMeans(f, `lazy-graphrag graph=${graph.split(':')[0]}`, 'lazy-graphrag graph=ours', '-lazy').split(';')[0]}`
      return `the parser is not measured, since TextBlob's corpora are a separate download. ${of('prune: 0')}; ${of('chunks: 1')}; ours ${f.mean('hotpotqa-lazy', 'lazy-graphrag graph=ours')}, ${f.mean('musique-lazy', 'lazy-graphrag graph=ours')}`
    },
    subqueries: (f) =>
      `2 variations by the 0.5B model (\`rag-fusion\`) in addition: recall@5 is the same for ${f.queries('guilds-model') - f.changed('guilds-model', 'lazy-fusion')} of ${f.queries('guilds-model')} questions about guilds, and one has no valid completion; splitting is not measured`,
    'chunks tested of a community, patience': (f) => {
      const of = (set: string) =>
        [2, 10]
          .map((each) => f.mean(`${set}-lazy`, `lazy-graphrag perCommunity=${each} graph=ours`))
          .join(' and ')
      return `2 and 10 instead of 5: ${of('hotpotqa')} on hotpotqa, ${of('musique')} on musique; ours ${f.mean('hotpotqa-lazy', 'lazy-graphrag graph=ours')}, ${f.mean('musique-lazy', 'lazy-graphrag graph=ours')}`
    },
    'community without children': (f) => {
      const of = (set: string) => percent(f.change('search ends at a community without children', set))
      return `if the search ends there: ${of('hotpotqa')} on hotpotqa, ${of('musique')} on musique; ours ${f.mean('hotpotqa-lazy', 'lazy-graphrag graph=ours')}, ${f.mean('musique-lazy', 'lazy-graphrag graph=ours')}`
    },
  },
  lightrag: {
    'chunks after the merge': (f) => {
      const of = (measure: string) =>
        `${measure} ${f.gain('hotpotqa', 'lightrag keep=20', measure)} on hotpotqa, ${f.gain('musique', 'lightrag keep=20', measure)} on musique`
      return `\`keep: 20\`: ${['recall@5', 'recall@20', 'recall@50', 'recall@5000tok'].map(of).join('; ')}`
    },
    reranking: (f) =>
      `a \`lexical\` reranker of 100 chunks: ${twoMeans(f, 'lightrag reranked without budget', 'lightrag reranked').replace('; ours', ' without the budget; with it')}`,
  },
  hipporag: {
    'embedded fact': (f) => {
      const of = (figure: string) => f.change('print-out of the tuple embedded', figure)
      return `none with \`lsa\`, which reads words alone; the print-out with MiniLM, over the ${of('passages')} gold passages of musique: ${points(of('difference'))} [${points(of('low'))}, ${points(of('high'))}], ${of('queries')} questions`
    },
  },
  linearrag: {
    threshold: (f) =>
      `the four defaults of \`config.py\`: ${twoMeans(f, 'linearrag config.py', 'linearrag')}`,
    'defaults by data set': (f) => `tuned by its authors: ${twoMeans(f, 'linearrag run.sh', 'linearrag')}`,
    'occurrences of a name': (f) =>
      `parts of words: ${percent(f.change('names found in parts of words', 'hotpotqa'))} on hotpotqa; ours ${f.mean('hotpotqa', 'linearrag')}`,
  },
  pathrag: {
    keywords: (f) =>
      `with the 0.5B model: ${f.interval('hotpotqa-model', 'pathrag-keywords')} on the ${f.queries('hotpotqa-model')} questions of hotpotqa, 3 of which have no valid completion`,
    pruning: (f) =>
      `without both: ${f.gain('hotpotqa', 'pathrag unpruned')} on hotpotqa, ${f.gain('musique', 'pathrag unpruned')} on musique`,
    chunks: (f) =>
      `\`order: sources\`: ${f.gain('hotpotqa', 'pathrag order=sources')} on hotpotqa, ${f.gain('musique', 'pathrag order=sources')} on musique`,
  },
}

/** Puts the figures into the cells of docs/deviations.md; all other text stays. */
export function withCosts(page: string, costs: Costs): string {
  const figures = figuresOf(costs)
  const open = new Set(
    Object.entries(CELLS).flatMap(([strategy, cells]) =>
      Object.keys(cells).map((part) => `${strategy}: ${part}`),
    ),
  )
  let strategy = ''
  const lines = page.split('\n').map((line) => {
    if (line.startsWith('## ')) strategy = line.slice(3)
    const [, part] = line.split(' | ')[0].split('| ')
    const cell = CELLS[strategy]?.[part]
    if (!line.startsWith('| ') || !cell) return line
    open.delete(`${strategy}: ${part}`)
    const columns = line.slice(2, -2).split(/ ?\| /)
    return `| ${[...columns.slice(0, 4), cell(figures)].join(' | ')} |`.replaceAll('|  |', '| |')
  })
  if (open.size > 0) throw new Error(`docs/deviations.md has no row for ${[...open].join(', ')}`)
  return lines.join('\n')
}

function figuresOf({ experiments, changes }: Costs): Figures {
  const found = <T>(value: T | undefined, what: string): T => {
    if (value === undefined) throw new Error(`docs/evidence/deviations.json has no ${what}`)
    return value
  }
  const experimentOf = (name: string) =>
    found(
      experiments.find((one) => one.name === name),
      name,
    )
  const differenceOf = (experiment: string, trial: string, measure: string) =>
    found(
      experimentOf(experiment).differences.find((one) => one.trial === trial && one.measure === measure),
      `difference of ${trial} in ${experiment}`,
    )
  return {
    mean: (experiment, trial, measure = 'recall@5') =>
      percent(found(experimentOf(experiment).trials[trial]?.[measure], `${trial} in ${experiment}`)),
    gain: (experiment, trial, measure = 'recall@5') =>
      points(differenceOf(experiment, trial, measure).difference),
    interval: (experiment, trial) => {
      const { difference, low, high, changed } = differenceOf(experiment, trial, 'recall@5')
      return low === null || high === null
        ? `${points(difference)} by ${changed} questions`
        : `${points(difference)} [${points(low)}, ${points(high)}]`
    },
    changed: (experiment, trial) => differenceOf(experiment, trial, 'recall@5').changed,
    queries: (experiment) => experimentOf(experiment).queries,
    change: (name, figure) =>
      found(changes.find((one) => one.name === name)?.figures[figure], `${figure} of ${name}`),
  }
}
