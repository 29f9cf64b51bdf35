import type { ComponentChildren } from 'preact'
import { parseMeasure } from '../metrics/parse.ts'
import type { Summary } from '../results/summary.ts'
import { Term, withCode } from './words.tsx'

const GLOSSARY = {
  trial:
    'One retriever with fixed params: a strategy, its params, its prepared variant and the steps before and after it. A grid of values makes one trial for each combination.',
  baseline:
    'The trial that all others are compared with: compare.baseline of the config, by default the first trial.',
  depth: 'The number of ranks that each trial returns. A passage below them counts as not found.',
  'confidence interval':
    'A range for the mean over all queries of this kind, computed from the queries measured. Of 100 such 95 % intervals about 95 contain the true mean. Two overlapping intervals do not show that two rows are equal: read the paired difference.',
  'paired difference':
    'The mean, over queries, of a row’s score minus the other row’s score on the same query. It is more precise than the difference of two separate means, because queries that are hard for both cancel out.',
  'simultaneous interval':
    'Intervals that are valid together: with 95 % confidence, all of them contain their true difference. Each is wider than a single interval would be.',
  'adjusted p':
    'The probability of a difference at least this large if the two rows were equally good, corrected for the number of comparisons. Below the level, 0.05 by default, a difference is called significant.',
  'paired test':
    'A bootstrap draws as many queries as there are, with replacement, thousands of times, and looks how far the difference strays from the measured one, in standard errors. It needs no symmetry of the differences. Few differences are tested exactly, few clusters by Student’s t.',
  'minimum detectable effect':
    'The smallest true difference that this experiment would find significant in 80 % of repetitions. A smaller difference may exist and go unseen; more queries lower it.',
  'cross-validation':
    'Queries are split into folds. Each fold is scored by the trial that was best on the other folds, so no query selects the trial that is scored on it.',
  equivalent:
    'The whole interval of the difference is within the margin of the config (compare.margin): a difference that large or larger is ruled out. "Cannot tell" is not "equivalent".',
  'effect size':
    'Cohen’s d: the mean paired difference divided by the standard deviation of the paired differences. It does not grow with the number of queries, as significance does.',
  'marginal mean':
    'The mean over all trials of a strategy that share one value of a param, whatever their other params.',
  'share of variance':
    'The part of the differences between a strategy’s trials that one param explains alone. If the shares of all params add up to less than 100 %, params act together.',
  kappa:
    'Cohen’s kappa: agreement beyond chance. 1 is full agreement, 0 is the agreement of two judges who answer at random with the same frequencies.',
  front:
    'The trials that no other trial beats in both quality and cost. For every trial off the front, one on it is at least as good and as cheap.',
  'tied scores':
    'Passages with equal scores have no order. Here their ids order them; another program may order them otherwise and measure another value.',
  optimism:
    'The points that a trial gains by being selected on the queries that score it. On new queries this gain disappears.',
} as const

type TermName = keyof typeof GLOSSARY

const idOf = (term: string) => `term-${term.replaceAll(' ', '-')}`

/** Terms of findings that open their definitions. */
const LINKED = /(minimum detectable effect|cross-validation|optimism|tied scores)/

export function withTerms(text: string): ComponentChildren {
  return text.split(LINKED).map((part, index) => (index % 2 === 1 ? term(part as TermName) : withCode(part)))
}

export function term(name: TermName, text: string = name) {
  return Term({ id: idOf(name), text })
}

/** A measure that opens its definition; custom measures have none. */
export function measureTerm(summary: Pick<Summary, 'scales'>, measure: string): ComponentChildren {
  if (summary.scales?.[measure]) return measure
  const { metric, k } = parseMeasure(measure)
  const cutoff = Number.isFinite(k) ? `; here k is ${k}` : ''
  return (
    <>
      <Term id="term-measure" text={measure} />
      <span popover class="definition" id="term-measure">
        <b>{measure}.</b> {capital(metric.summary)}
        {cutoff}. {metric.better === 'higher' ? 'Higher' : 'Lower'} is better.
      </span>
    </>
  )
}

export function Glossary() {
  return (
    <>
      {Object.entries(GLOSSARY).map(([name, text]) => (
        <div popover class="definition" id={idOf(name)}>
          <b>{capital(name)}.</b> {text}
        </div>
      ))}
    </>
  )
}

const capital = (text: string) => `${text[0].toUpperCase()}${text.slice(1)}`
