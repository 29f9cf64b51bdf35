import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Experiment } from '../../src/config/experiment.ts'
import { loadConfig } from '../../src/config/load.ts'
import { UserError } from '../../src/errors.ts'

/**
 * Every `<case>.yaml` in tests/golden/configs is loaded, and what comes out (mistakes, or trials in short) compared to
 * `<case>.expected.txt`. A new case is a new file; `npx vitest run tests/config -u` writes what it gives. Lines
 * `# set: KEY=VALUE` and `# env: NAME=VALUE` at the top of a case go with it.
 */
const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'golden', 'configs')
const cases = readdirSync(folder).filter((file) => file.endsWith('.yaml'))

describe('configs', () => {
  test.each(cases)('%s', async (file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const lines = (label: string) =>
      [...text.matchAll(new RegExp(`^# ${label}: (.*)$`, 'gm'))].map(([, value]) => value)
    const env = Object.fromEntries(lines('env').map((line) => line.split('=')))
    const outcome = await loadConfig(file, { set: lines('set'), env, folder }).then(inShort, diagnostics)
    await expect(outcome).toMatchFileSnapshot(join(folder, `${basename(file, '.yaml')}.expected.txt`))
  })
})

function diagnostics(error: unknown): string {
  if (!(error instanceof UserError)) throw error
  // The names in a registry change; that a message lists them does not.
  return `${error.message
    .replaceAll(folder, '<folder>')
    .replace(/did you mean ["`](.*?)["`]\?/g, 'did you mean $1?')
    .replace(/; there are (?!`)[a-z].*$/gm, '; there are ...')}\n`
}

function inShort(experiment: Experiment): string {
  const { name, trials, routers, recipes, depth, context, measures, compare } = experiment
  const named = (trial: string) => trials.find(({ id }) => id === trial)?.name
  const shown = trials.map(({ name, seeds }) => `  ${name}${seeds ? ` over ${1 + seeds.length} seeds` : ''}`)
  const chunks = recipes.map(
    ({ chunk, embedder }) => `  ${JSON.stringify([chunk, embedder.name, embedder.params.dims])}`,
  )
  return [
    `${name}: ${trials.length} trials to depth ${depth} by ${measures.join(', ')}`,
    ...shown,
    ...routers.map(
      ({ name, arms }) => `${name}: ${arms.map((arm) => `${arm.name} ${named(arm.trial)}`).join(', ')}`,
    ),
    `compared to ${named(compare.baseline)} by ${compare.by}, ${context.top} chunks sent`,
    ...(recipes.length > 1 ? ['over', ...chunks] : []),
    '',
  ].join('\n')
}
