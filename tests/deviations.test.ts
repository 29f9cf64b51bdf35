import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CELLS, withCosts } from '../scripts/graphs/cost-cells.ts'
import type { Costs } from '../scripts/graphs/costs.ts'
import { strategies } from '../src/retrieve/strategies/index.ts'

await strategies.load()

/** Strategies that follow a graph-RAG system of somebody else's. */
const GRAPH = [
  'graphrag-local',
  'graphrag-global',
  'drift',
  'lazy-graphrag',
  'lightrag',
  'hipporag',
  'linearrag',
  'pathrag',
]

const page = readFileSync('docs/deviations.md', 'utf8')
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
)

const costs: Costs = JSON.parse(readFileSync('docs/evidence/deviations.json', 'utf8'))

test('the figures of the costs are those that are stored', () => {
  expect(withCosts(page, costs)).toBe(page)
})

test('a figure that is not stored is an error, and so is a row that the page lacks', () => {
  expect(() => withCosts(page, { ...costs, experiments: [] })).toThrow('deviations.json has no')
  expect(() => withCosts('## drift', costs)).toThrow('no row for')
})

test.each([
  ['drift', ['naive', 'graphrag-local', 'drift']],
  ['pathrag', ['naive', 'lightrag', 'pathrag', 'pathrag order=sources', 'pathrag unpruned']],
])('the page of %s has the stored means of its trials', (name, trials) => {
  const lines = readFileSync(`docs/strategies/${name}.md`, 'utf8').split('\n')
  for (const set of ['hotpotqa', 'musique']) {
    const cells = lines
      .find((line) => line.startsWith(`| ${set}-train-100`))
      ?.slice(2, -2)
      .split(' | ')
    const means = costs.experiments.find((one) => one.name === set)?.trials
    expect(
      trials.filter((trial) => !cells?.includes((100 * (means?.[trial]['recall@5'] ?? 0)).toFixed(1))),
    ).toEqual([])
  }
})

test('docs/deviations.md has a table for each graph strategy, and for no other', () => {
  expect([...sections.keys()]).toEqual(GRAPH)
})

describe.each(GRAPH)('the table of %s', (name) => {
  const rows = (sections.get(name) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

  test('names the paper, the original with its version, ours and the cost', () => {
    expect(rows[0]).toHaveLength(5)
    expect(rows[0][1]).toMatch(/^paper \(.+, 20\d\d\)$/)
    expect(rows[0].slice(3)).toEqual(['ours', 'cost'])
    for (const row of rows) expect(row).toHaveLength(5)
  })

  test('has no other cost with a figure in points than the stored ones', () => {
    const others = rows
      .slice(2)
      .filter(([part]) => CELLS[name]?.[part] === undefined)
      .flatMap((row) => row[4].match(/[−+]?\d+\.\d( \[[^\]]+\])?/g) ?? [])
    expect(others).toEqual([])
  })

  test('states the defaults of the code', () => {
    const defaults = strategies.byName.get(name)?.params.parse({}) as Record<string, unknown>
    const stated = rows
      .slice(2)
      .flatMap((row) => [...row[3].matchAll(/`(\w+): ([^`]+)`/g)])
      .filter(([, param]) => param !== 'after')
      .map(([, param, value]) => [param, value])
    expect(stated.length).toBeGreaterThan(0)
    expect(stated).toEqual(stated.map(([param]) => [param, String(defaults[param])]))
  })
})
