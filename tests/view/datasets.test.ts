import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setUp } from '../cli/set-up.ts'
import { serve } from './served.ts'

test('an experiment over several datasets is listed with each of them, and its page leads to theirs', async () => {
  const { folder, call } = setUp(
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

test('experiments over several datasets are compared dataset by dataset, with their means over datasets', async () => {
  const config = (name: string, datasets: string, trials: string) =>
    `name: ${name}\ndataset: ${datasets}\ntrials: ${trials}\nmeasures: [recall@1, mrr@10]\ncompare: {by: recall@1, draws: 100}\n`
  const { folder, call } = setUp(config('one', '[towns, more]', '[bm25, naive]'), {
    'b.yaml': config('two', '[more, towns]', '[bm25, random]'),
    'c.yaml': config('alone', 'more', '[bm25]'),
  })
  for (const file of ['a', 'b', 'c'])
    expect((await call('run', `${file}.yaml`, '--workers', '1')).code).toBe(0)
  const { get, errors } = await serve(join(folder, 'experiments'))
  const pairs = (body: string) =>
    [...body.matchAll(/<h2[^>]*><bdi>([^<]*)<\/bdi> compared with <bdi>([^<]*)<\/bdi>/g)].map(
      ([, now, before]) => `${before} ${now}`,
    )
  const { body } = await get('/compare?with=one&with=two')
  expect(pairs(body)).toEqual(['one/more two/more', 'one/towns two/towns'])
  expect(body).toMatch(/id="macro-means".*recall@1, the unweighted mean/s)
  expect(body).toMatch(/<bdi>bm25<\/bdi>.*<bdi>naive<\/bdi>.*<bdi>random<\/bdi>/s)
  const single = (await get('/compare?with=one&with=alone&measure=mrr@10')).body
  expect(pairs(single)).toEqual(['one/more alone'])
  expect(single).not.toContain('id="macro-means"')
  expect(single).toContain('won now/tied/before')
  expect(errors).toEqual([])
})

test('a flipped query names the first stage that lost gold of one experiment only', async () => {
  const config = (name: string, strategy: string) =>
    `name: ${name}\ndataset: towns\ntrials: [{name: x, ${strategy}}]\nmeasures: [recall@1]\ncompare: {by: recall@1, draws: 100}\n`
  const { folder, call } = setUp(config('one', 'bm25: {}'), { 'b.yaml': config('two', 'random: {pool: 1}') })
  for (const file of ['a', 'b']) expect((await call('run', `${file}.yaml`, '--workers', '1')).code).toBe(0)
  const { get } = await serve(join(folder, 'experiments'))
  const { body } = await get('/compare?with=one&with=two&row=x')
  expect(body).toMatch(/first difference at .*lost only before: none; lost only now: [a-z0-9]+/)
})
