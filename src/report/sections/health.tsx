import type { Summary, TrialHealth } from '../../results/summary.ts'
import { htmlTable, TRIAL } from '../components/html-table.tsx'
import { term } from '../glossary.tsx'
import { plural } from '../numbers.ts'
import type { Column } from '../table.ts'
import { listed, say } from '../words.tsx'
import type { PageData, PageSection } from './section.tsx'

const NAMED = 12

/** Checks: unsolved queries, ceilings, ties, missing labels, failed queries. */
export function healthSection({ summary }: Pick<PageData, 'summary'>): PageSection | null {
  const { primary, health } = summary
  const { unsolved, trials } = health
  const counted = summary.trials[0]?.measures[primary]?.n ?? 0
  const failures = failureTable(summary)
  if (unsolved.length === 0 && trials.length === 0 && !failures) return null
  const links = unsolved.map((id) => <a href={`#queries?${new URLSearchParams({ q: id })}`}>{id}</a>)
  const body = (
    <>
      {unsolved.length > 0 && (
        <p>
          No trial scores above 0 in {primary} on {plural(unsolved.length, 'query', 'queries')}:{' '}
          {listed(links, NAMED)}.
        </p>
      )}
      {trials.length > 0 && trialTable(summary)}
      {failures}
    </>
  )
  return { id: 'health', title: 'Checks', body, charts: [] }

  function trialTable({ health }: Summary) {
    const means = new Map(summary.trials.map(({ id, measures }) => [id, measures[primary]?.mean ?? 0]))
    const meanOf = (id: string) => means.get(id) ?? 0
    const judged = health.trials.find(({ unjudged }) => unjudged)?.unjudged
    const isBounded = health.trials.some(({ bounds }) => bounds)
    const columns: (Column<TrialHealth> | null)[] = [
      TRIAL,
      { head: 'at the ceiling', note: 'of queries', format: 'share', value: ({ ceiling }) => ceiling },
      {
        head: 'decided by ties',
        note: 'of queries',
        format: 'share',
        value: ({ ties }) => ties?.share ?? null,
      },
      {
        head: `${primary}, worst`,
        note: 'tie order',
        format: 'percent',
        value: ({ ties }) => ties?.worst ?? null,
      },
      {
        head: `${primary}, best`,
        note: 'tie order',
        format: 'percent',
        value: ({ ties }) => ties?.best ?? null,
      },
      judged
        ? {
            head: 'unjudged',
            note: `of the first ${judged.k}`,
            format: 'share',
            value: ({ unjudged }) => unjudged?.share ?? null,
          }
        : null,
      ...(isBounded
        ? (['condensed', 'relevant'] as const).map(
            (assumed): Column<TrialHealth> => ({
              head: primary,
              note: assumed === 'condensed' ? 'unjudged left out' : 'unjudged relevant',
              format: 'percent',
              value: ({ bounds }) => bounds?.[assumed] ?? null,
            }),
          )
        : []),
    ]
    return htmlTable<TrialHealth>({
      id: 'health-table',
      caption: say`Finalists in ${primary}, n = ${plural(counted, 'query', 'queries')}. A query at the ceiling cannot improve. ${term('tied scores', 'Tied scores')} are ordered by id; every value between the worst and the best order is equally valid.${judged ? ' Results without a label count as not relevant, so a trial that finds new relevant results may be better than it looks.' : ''}${isBounded ? ' The last columns leave unjudged results out, as bpref does, and take them as relevant.' : ''}`,
      columns: columns.filter((column) => column !== null),
      rows: [...health.trials].sort((a, b) => meanOf(b.id) - meanOf(a.id)),
      shown: 12,
      sortable: true,
    })
  }
}

function failureTable({ trials }: Summary) {
  const failures = trials.flatMap(({ name, failures }) => failures.map((failure) => ({ name, ...failure })))
  if (failures.length === 0) return null
  return htmlTable({
    id: 'failures',
    caption: `The first failures of each trial, with the message of the step that failed. A failed query counts as 0.`,
    columns: [
      TRIAL,
      { head: 'query', left: true, html: ({ query }) => query },
      { head: 'step', left: true, html: ({ step }) => step },
      { head: 'message', left: true, html: ({ message }) => message },
    ],
    rows: failures,
    shown: 10,
    whole: say`${<code>summary.json</code>} has`,
  })
}
