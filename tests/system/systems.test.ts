import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { Summary } from '../../src/results/summary.ts'
import { setUp } from '../cli/set-up.ts'

const folder = resolve('configs/systems')

test.each(readdirSync(folder).filter((name) => name.endsWith('.yaml')))(
  '%s is understood, and runs on a small world',
  async (name) => {
    const { folder: at, call } = setUp('')
    const config = join(folder, name)
    const set = ['--set', `dataset=${join(at, 'towns')}`, '--store', join(at, 'store')]
    expect(await call('check', config, ...set.slice(0, 2))).toMatchObject({ code: 0, err: '' })
    const run = await call('run', config, ...set, '--workers', '1', '-o', join(at, 'run'), '--json')
    expect(run).toMatchObject({ code: 0 })
    const { trials }: Summary = JSON.parse(readFileSync(join(at, 'run', 'summary.json'), 'utf8'))
    for (const { measures } of trials) expect(Object.values(measures)[0].n).toBeGreaterThan(0)
  },
)
