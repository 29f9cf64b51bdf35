import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsInTowns } from '../cli/calls.ts'
import { serve } from './served.ts'

test('an experiment over several datasets is listed with each of them, and its page leads to theirs', async () => {
  const { folder, call } = callsInTowns(
    'name: both\ndataset: [towns, more]\ntrials: [bm25, naive]\nmeasures: [recall@1]\ncompare: {by: recall@1, draws: 100}\n',
  )
  const ran = await call('run', 'a.yaml', '--workers', '1')
  expect(ran.code, ran.err).toBe(0)
  const { get, errors } = await serve(join(folder, 'experiments'))
  const { body } = await get('/?sort=name')
  expect([...body.matchAll(/href="(\/report\/[^"]*)"/g)].map(([, link]) => link)).toEqual([
    '/report/both',
    '/report/both/more',
    '/report/both/towns',
  ])
  expect(body).toContain('<bdi>towns, more</bdi>')
  expect(body.match(/type="checkbox"/g)).toHaveLength(3)
  const page = (await get('/report/both')).body
  expect(page).toContain('href="/report/both/more"')
  expect(page).toContain('<a href="/">All experiments</a>')
  expect((await get('/report/both/more')).body).toContain('Touchstone report')
  rmSync(join(folder, 'experiments', 'both', 'more', 'summary.json'))
  expect((await get('/report/both')).headers.location).toBe('/live/both')
  expect((await get('/live/both')).body).toMatch(/class="state stopped".*href="\/live\/both\/more"/)
  expect(errors).toEqual([])
})
