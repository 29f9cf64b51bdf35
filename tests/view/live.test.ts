import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordProgress } from '../../src/experiment/progress-file.ts'
import { processes } from '../../src/library/machine.ts'
import { startOfThis } from '../../src/store/processes.ts'
import { HOST } from '../../src/store/write.ts'
import { runConfig, runOptions, setUp } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { serve } from './served.ts'

/** Runs a config into experiments/towns until so many shards are done. */
async function runUntil(shards: number, { trials, more = '' }: { trials?: string; more?: string } = {}) {
  const at = setUp(trials, more)
  const root = at.at('experiments')
  const folder = join(root, 'towns')
  const stop = new AbortController()
  const progress = (label: string, done: number) => {
    if (label === 'shards' && done >= shards) stop.abort()
  }
  await runConfig(at.config, at.store, runOptions(folder, { signal: stop.signal, progress }))
  const resume = () => runConfig(at.config, at.store, runOptions(folder))
  return { root, folder, resume }
}

const lockOf = (pid: number, started: number | null, host = HOST) =>
  JSON.stringify({ pid, started, host, name: 'a-machine' })

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
    const progress = (label: string, done: number) => void (label === 'shards' && done > 0 && stop.abort())
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
})
