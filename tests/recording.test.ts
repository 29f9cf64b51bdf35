import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { firstCommands } from '../scripts/first-commands.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test("docs/quickstart.md records README's first commands: npm run recording", () => {
  const recorded = [...read('docs/quickstart.md').matchAll(/^\$ (.*)$/gm)].map(([, command]) => command)
  expect(recorded).toEqual(firstCommands(read('README.md')))
  expect(recorded.length).toBeGreaterThan(3)
})

test('each of them printed something, of the config of today', () => {
  const [, text] = /```text\n([\s\S]*?)```/.exec(read('docs/quickstart.md')) ?? []
  const outputs = text.split(/^\$ .*$/m).slice(1)
  for (const output of outputs) expect(output.trim()).not.toBe('')
  expect(outputs[0]).toContain('report: reports/quickstart.html')
  for (const line of outputs[0].split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})
