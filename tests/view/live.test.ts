import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordProgress } from '../../src/experiment/progress-file.ts'
import { processes } from '../../src/library/machine.ts'
import { startOfThis } from '../../src/store/processes.ts'
import { HOST } from '../../src/store/write.ts'
import { openLive } from '../../src/view/live.ts'
import { runConfig, runOptions, setUp } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { serve } from './served.ts'

/** Runs a config into experiments/towns until so many shards are done. */
async function runUntil(shards: number, { trials, more = '' }: { trials?: string; more?: string } = {}) {
  const at = setUp(trials, more)
  const root = at.at('experiments')
  const folder = join(root, 'towns')
  const stop = new AbortController()
  const progress = (what: string, done: number) => {
    if (what === 'shards' && done >= shards) stop.abort()
  }
  await runConfig(at.config, at.store, runOptions(folder, { signal: stop.signal, progress }))
  const resume = () => runConfig(at.config, at.store, runOptions(folder))
  return { root, folder, resume }
}

const lockOf = (pid: number, started: number | null, host = HOST) =>
  JSON.stringify({ pid, started, host, name: 'a-machine' })

describe('parts of an experiment', () => {
  async function whole(trials: string) {
    const at = setUp(trials)
    const folder = at.at('experiments/towns')
    await runConfig(at.config, at.store, runOptions(folder))
    return { folder, live: await openLive(folder)() }
  }

  test('when all are there, give the estimate of the summary of one trial', async () => {
    const { folder, live } = await whole('[random]')
    const { trials } = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'))
    const { plan: _, ...read } = live
    expect(read).toEqual({
      shards: { done: 4, total: 4 },
      queries: { done: 25, total: 25 },
      failures: [],
      rows: [{ name: 'random', strategy: 'random', estimate: trials[0].measures['recall@5'] }],
    })
  })

  test('give the best trial first', async () => {
    const { live } = await whole('[random, bm25, naive]')
    const means = live.rows.map(({ estimate }) => estimate?.mean ?? Number.NaN)
    expect(means).toEqual([...means].sort((a, b) => b - a))
    expect(live.rows.at(-1)?.name).toBe('random')
  })
})

describe('an experiment that is not there yet', () => {
  test('is followed from an open page when its run begins', async () => {
    const { root, folder } = await runUntil(2)
    const later = join(root, 'later')
    const { get, follow, errors } = await serve(root)
    const { status, body } = await get('/live/later')
    expect(status).toBe(404)
    expect(body).toContain('data-live')
    expect(body).toContain('There is no experiment of this name.')
    const mains = await follow('/live/later', (sent) => {
      if (sent.length === 1) cpSync(folder, later, { recursive: true })
      return sent.at(-1)?.includes('2 of 4 shards done.') === true
    })
    expect(mains[0]).toContain('This page shows its progress as soon as its run begins.')
    expect((await get('/live/%3Cb%3Ex')).body).toContain('<bdi>&lt;b>x</bdi>')
    expect((await get('/live/a%00')).body).not.toContain('data-live')
    expect(errors).toEqual([])
  })
})

describe('a stopped experiment', () => {
  test('shows the queries that were run, and its report when it is finished', async () => {
    const { root, resume } = await runUntil(2)
    const { get, follow, errors } = await serve(root)
    expect((await get('/')).body).toMatch(/href="\/live\/towns".*class="state stopped".*towns.*recall@5/s)
    expect((await get('/report/towns')).headers.location).toBe('/live/towns')
    const { body } = await get('/live/towns')
    expect(body).toContain('2 of 4 shards done.')
    expect(body).toContain('Run the same command again to resume: nothing is lost.')
    expect(body).toMatch(/Leaderboard so far.*over 16 of 25 queries/s)
    const mains = await follow('/live/towns', (sent) => {
      if (sent.length === 1) void resume()
      return sent.at(-1)?.includes('The experiment is finished.') === true
    })
    expect(mains.at(-1)).toContain('<a href="/report/towns">Open the report</a>')
    expect((await get('/report/towns')).body).toContain('Touchstone report')
    expect(errors).toEqual([])
  })

  test('keeps its files as they are: a damaged part is neither read nor removed', async () => {
    const { root, folder } = await runUntil(3)
    const [plan] = readdirSync(join(folder, 'parts'))
    const [part] = readdirSync(join(folder, 'parts', plan))
    const path = join(folder, 'parts', plan, part)
    writeFileSync(path, readFileSync(path).subarray(0, 100))
    const before = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    const { get } = await serve(root)
    const { body } = await get('/live/towns')
    expect(body).toContain('2 of 4 shards done.')
    expect(body).toContain('over 16 of 25 queries')
    expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()).toEqual(before)
  })

  test('names failed queries with the first reason, escaped', async () => {
    const at = setUp('[bm25, ./bad.mjs]')
    writeFileSync(
      join(at.folder, 'bad.mjs'),
      `export default ({ defineStrategy, steps, z }) => {
        const fail = steps.defineStep({ name: 'fail', version: 1, yields: 'ranking', run: () => { throw new Error('no <b>luck</b>') } })
        return defineStrategy({ name: 'bad', summary: 's', source: 'here', params: z.strictObject({}),
          make: () => ({ retrieve: (query) => ({ ranking: fail([query], null) }) }) })
      }`,
    )
    const stop = new AbortController()
    const progress = (what: string, done: number) => void (what === 'shards' && done > 0 && stop.abort())
    await runConfig(
      at.config,
      at.store,
      runOptions(join(at.folder, 'experiments/towns'), { signal: stop.signal, progress }),
    )
    const { get } = await serve(join(at.folder, 'experiments'))
    const { body } = await get('/live/towns')
    expect(body).toMatch(/8 queries<\/b> of <bdi>bad<\/bdi>; first in the step <code>fail<\/code>/)
    expect(body).toContain('no &lt;b>luck&lt;/b>')
  })
})

describe('a running experiment', () => {
  test('is one whose lock a living process holds, or one of another machine', async () => {
    const { root, folder } = await runUntil(1)
    const { get } = await serve(root)
    const state = async () => /class="state (\w+)"/.exec((await get('/live/towns')).body)?.[1]
    expect(await state()).toBe('stopped')
    writeFileSync(join(folder, 'lock'), lockOf(process.pid, startOfThis()))
    expect(await state()).toBe('running')
    expect((await get('/live/towns')).body).toContain(`in process ${process.pid} on a-machine.`)
    writeFileSync(join(folder, 'lock'), lockOf(process.pid, 1))
    expect(await state()).toBe('stopped')
    writeFileSync(join(folder, 'lock'), lockOf(1, 1, '0'.repeat(12)))
    expect(await state()).toBe('running')
    expect((await get('/live/towns')).body).toContain('which cannot be examined from here')
  })

  test('shows steps with the time left, and cost against the budget, before it has a lock', async () => {
    const root = temporaryFolder()
    const folder = join(root, 'asking')
    let now = 1_000_000
    const recorder = recordProgress(folder, {
      experiment: 'asking',
      datasets: ['towns'],
      budget: { dollars: 5, tokens: 1_000_000 },
      processes: { ...processes, now: () => now },
      spent: () => ({
        dollars: 1.25,
        unpriced: false,
        tokens: 400_000,
        requests: 90,
        failed: 2,
        failure: 'HTTP 500 <x>',
      }),
    })
    recorder.progress('embedding lsa', 0, 100)
    now += 20_000
    recorder.progress('embedding lsa', 100, 100)
    recorder.progress('completions', 10, 100)
    now += 30_000
    recorder.progress('completions', 40, 100)
    const { get, errors } = await serve(root)
    expect((await get('/')).body).toMatch(/class="state running".*completions 40\/100.*towns/s)
    const { body } = await get('/live/asking')
    expect(body).toMatch(/✓ embedding lsa.*100.*20 s/s)
    expect(body).toMatch(/40 of 100.*about 1 min 0 s left/s)
    expect(body).toContain('$1.25 of $5.00')
    expect(body).toContain('400,000 of 1,000,000')
    expect(body).toMatch(/90, <span class="warning">2 failed<\/span>; the last: HTTP 500 &lt;x>/)
    expect(errors).toEqual([])
    recorder.close()
    expect(existsSync(folder)).toBe(false)
    expect((await get('/live/asking')).status).toBe(404)
  })

  test('that has no lock yet does not show the earlier experiment of its folder', async () => {
    const { root, folder } = await runUntil(2)
    const { get } = await serve(root)
    expect((await get('/live/towns')).body).toContain('Leaderboard so far')
    const spent = () => ({ dollars: 0, unpriced: false, tokens: 0, requests: 0, failed: 0 })
    const recorder = recordProgress(folder, {
      experiment: 'towns',
      datasets: ['towns'],
      budget: null,
      processes,
      spent,
    })
    recorder.progress('chunks', 1, 9)
    await expect.poll(async () => (await get('/live/towns')).body).toContain('1 of 9')
    expect((await get('/live/towns')).body).not.toContain('Leaderboard so far')
    recorder.close()
    expect((await get('/live/towns')).body).toContain('Leaderboard so far')
  })

  test('that sets another one aside is the only running one', async () => {
    const { root, folder } = await runUntil(2)
    const spent = () => ({ dollars: 0, unpriced: false, tokens: 0, requests: 0, failed: 0 })
    const recorder = recordProgress(folder, {
      experiment: 'towns',
      datasets: ['towns'],
      budget: null,
      processes,
      spent,
    })
    const other = setUp('[bm25]')
    const stop = new AbortController()
    const progress = (what: string, done: number, total: number) => {
      recorder.progress(what, done, total)
      if (what === 'shards') stop.abort()
    }
    await runConfig(other.config, other.store, runOptions(folder, { signal: stop.signal, progress }))
    await expect.poll(() => readdirSync(folder).some((name) => name.startsWith('progress.'))).toBe(true)
    const [aside] = readdirSync(root).filter((name) => name !== 'towns')
    expect(aside).toMatch(/^towns\.[0-9a-f]{8}$/)
    expect(readdirSync(join(root, aside)).filter((name) => /^progress|^lock/.test(name))).toEqual([])
    const { get } = await serve(root)
    const states = [...(await get('/?sort=name')).body.matchAll(/class="state (\w+)"/g)].map(
      ([, state]) => state,
    )
    expect(states).toEqual(['running', 'stopped'])
    recorder.close()
  })

  test('of a killed process is a stopped one', async () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'killed'))
    writeFileSync(join(root, 'killed', `progress.${HOST}-999999.1-${'0'.repeat(12)}.tmp`), '{"format":9}')
    const { get } = await serve(root)
    expect((await get('/')).body).toContain('class="state stopped"')
  })
})
