import type { Chart, ChartSpec } from '../charts/chart.ts'
import { BETTER, WORSE } from '../charts/theme.ts'
import type { PageData, PageSection } from './section.tsx'

export function queriesSection({ cuts }: PageData): PageSection {
  const body = (
    <>
      <p>
        A cell is the best rank of a query's gold in a trial; × means that none was found. Click a query to
        read it, and a cell to compare its trial.
        {cuts.length > 0 &&
          ` To limit its size, this file holds only ${LIST.format(cuts)}; the experiment folder holds everything.`}
      </p>
      <div id="queries-app" />
    </>
  )
  return { id: 'queries', title: 'Queries', body, charts: [] }
}

const LIST = new Intl.ListFormat('en-GB')

export function differencesSection({ summary }: PageData): PageSection | null {
  if (summary.trials.length < 2) return null
  const chart: Chart = {
    id: 'differences',
    cell: 20,
    spec: differencesSpec(summary.primary),
    rows: null,
    caption: null,
    label: 'Sorted differences of every query between two trials',
  }
  return {
    id: 'differences',
    title: 'Query by query',
    body: <div data-figure="differences" />,
    charts: [chart],
  }
}

function differencesSpec(measure: string): ChartSpec {
  return {
    height: 220,
    mark: { type: 'bar', cursor: 'pointer' },
    encoding: {
      x: { field: 'place', type: 'ordinal', axis: null, scale: { paddingInner: 0.12, paddingOuter: 0 } },
      y: {
        field: 'difference',
        type: 'quantitative',
        axis: {
          title: `↑ difference in ${measure}, points`,
          tickCount: 5,
          labelExpr: "datum.value == 0 ? '0' : format(100 * datum.value, '+.0f')",
        },
      },
      color: { condition: { test: 'datum.difference > 0', value: BETTER }, value: WORSE },
      tooltip: [{ field: 'query' }, { field: 'difference', format: '+.3f' }],
    },
  }
}
