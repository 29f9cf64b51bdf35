import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PackedHit } from '../../src/report/browser/types.d.ts'
import { renderReport } from '../../src/report/page.ts'
import { type Results, readResults } from '../../src/results/read.ts'
import { sharedFolder } from '../temporary.ts'
import { writeFixture } from './fixture.ts'

const folder = sharedFolder()
let results: Results
let page: string

beforeAll(async () => {
  writeFixture(folder)
  results = await readResults(folder)
  page = await renderReport(results)
})

function block(name: string): Buffer {
  const [, base64] = new RegExp(`id="block-${name}"[^>]*>([^<]*)<`).exec(page)!
  return inflateSync(Buffer.from(base64, 'base64'))
}

describe('the page', () => {
  test('has a definition for every statistical term that it marks, in each of its views', () => {
    const opened = [...page.matchAll(/popovertarget="([^"]*)"/g)].map(([, id]) => id)
    expect(opened.filter((id) => !page.includes(`id="${id}"`))).toEqual([])
    for (const name of ['effect-size', 'marginal-mean', 'share-of-variance', 'tied-scores'])
      expect(opened).toContain(`term-${name}`)
    for (const place of results.summary.trials.keys())
      expect(opened).toContain(`strategy-${Math.min(place, 4)}`)
  })

  test('is the same for the same results', async () => {
    expect(await renderReport(results)).toBe(page)
  })

  // All words and numbers of the views: a change shows in the diff of the file. `npx vitest run -u` writes it anew.
  test('reads as before', async () => {
    const main = page.slice(page.indexOf('<body'), page.indexOf('</body>'))
    const text = main
      .replaceAll(basename(folder), 'FOLDER')
      .replace(/\b[0-9a-f]{64}\b/g, 'SHA-256')
      .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
      .replace(/<\/(?:p|h\d|li|tr|dd|dt|figcaption|summary|section|div)>/g, '\n')
      .replace(/<\/t[dh]>/g, ' | ')
      .replace(/<[^>]*>/g, '')
      .replace(/[ \t]+/g, ' ')
      .replace(/ ?\n[ \n]*/g, '\n')
    await expect(text).toMatchFileSnapshot('page.txt')
  })

  test('allows only its own scripts and style, by hash', () => {
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)!
    const text = policy
    expect(text).toMatch(/^default-src 'none';/)
    expect(text).not.toMatch(/unsafe|https?:|\*/)
    const inline = [...page.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)]
    expect(inline).toHaveLength(2)
    for (const [, , body] of inline)
      expect(text).toContain(createHash('sha256').update(body).digest('base64'))
  })

  test('refers to nothing outside itself', () => {
    const markup = page.replace(/<script[\s\S]*?<\/script>/g, '')
    for (const [, target] of markup.matchAll(/(?:src|href|action|data)="([^"]*)"/g))
      expect(target).toMatch(/^(#|data:,)/)
    expect(markup).not.toMatch(/ style="| on\w+="|url\(|@import/)
  })

  test('has every section in order, and each link leads to one', () => {
    const ids = [...page.matchAll(/<section id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids).toEqual([
      'verdict',
      'limits',
      'leaderboard',
      'cost',
      'grid',
      'queries',
      'differences',
      'categories',
      'lost',
      'comparison',
      'health',
      'router',
      'provenance',
    ])
    const links = [...page.matchAll(/<li><a href="#([^"]*)"/g)].map(([, id]) => id)
    const views = [...page.matchAll(/<section id="[^"]*" data-view="([^"]*)"/g)].flatMap(([, ids]) =>
      ids.split(' '),
    )
    expect(new Set(links)).toEqual(new Set(views))
    for (const link of links) expect(ids).toContain(link)
    const all = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(all).size).toBe(all.length)
  })

  test('every picture has a caption, its n, and its data', () => {
    const figures = page.match(/<figure[\s\S]*?<\/figure>/g) ?? []
    expect(figures).toHaveLength(5)
    for (const figure of figures) {
      expect(figure).toMatch(/<figcaption>[\s\S]{60,}<\/figcaption>/)
    }
    const meta = JSON.parse(/id="meta">([^<]*)</.exec(page)![1])
    const charts = [...page.matchAll(/data-figure="([^"]+)"/g)].map(([, id]) => id)
    expect(charts).toHaveLength(8)
    for (const id of charts.filter((id) => id !== 'cost')) expect(meta.charts[id].label).toMatch(/\S/)
  })
})

describe('the detail', () => {
  const { primary } = { primary: 'recall@5' }

  test('gives back every score, rank and stage', () => {
    const { summary, queries, scores, labels: judgements, gold } = results
    const meta = JSON.parse(/id="meta">([^<]*)</.exec(page)![1])
    const { trials, stages, measures } = meta.shape
    expect(trials).toHaveLength(summary.trials.length)
    const values: number[] = JSON.parse(block(`values${measures.indexOf(primary)}`).toString())
    const codes = block(`scores${measures.indexOf(primary)}`)
    trials.forEach((trial: number, column: number) => {
      for (let query = 0; query < queries.id.length; query++) {
        const score = scores.get(primary)![trial * queries.id.length + query]
        const code = codes[query * trials.length + column]
        if (Number.isNaN(score)) expect(code).toBe(0)
        else expect(values[code - 1]).toBeCloseTo(score, 6)
      }
    })
    const labels = JSON.parse(block('labels').toString())
    const [ranks, lost] = [block('ranks'), block('stages')]
    const placeOf = new Map<string, number>(
      labels.query.map((query: number, label: number) => [`${query} ${labels.judged[label]}`, label]),
    )
    expect(placeOf.size).toBe(summary.datasets[0].gold)
    for (let row = 0; row < gold.rank.length; row++) {
      const [trial, at] = [Math.floor(row / judgements.rows), row % judgements.rows]
      const label = placeOf.get(`${judgements.query[at]} ${judgements.judged[at]}`)!
      const cell = label * trials.length + trials.indexOf(trial)
      expect(ranks[cell]).toBe(gold.rank[row])
      expect(stages[lost[cell] - 1]).toBe(gold.stage.words[gold.stage.codes[row]])
    }
  })

  test('marks as hits exactly the gold among the retrieved', () => {
    const meta = JSON.parse(/id="meta">([^<]*)</.exec(page)![1])
    const { lists } = meta.shape
    const hits: PackedHit[][] = JSON.parse(block('hits').toString())
    const { gold, labels, queries } = results
    let expected = 0
    gold.rank.forEach((rank, row) => {
      const list = lists.indexOf(Math.floor(row / labels.rows))
      const [, , isGold] = hits[list * queries.id.length + labels.query[row % labels.rows]]?.[rank - 1] ?? []
      if (isGold === undefined) return
      expected++
      expect(isGold).toBe(1)
    })
    expect(hits.flat().filter(([, , isGold]) => isGold > 0).length).toBeGreaterThanOrEqual(expected)
    expect(expected).toBeGreaterThan(0)
  })
})
