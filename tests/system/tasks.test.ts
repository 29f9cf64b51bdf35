import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { standIn } from '../cli/stand-in.ts'
import { temporaryFolder } from '../temporary.ts'

const root = resolve(import.meta.dirname, '../..')

/** The words of a command line. */
function words(line: string): string[] {
  return (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))
}

/** Puts a question into each line that waits for one: here, the words that it quotes. */
function fillIn(file: string): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const filled = lines.map((line) => {
    const waiting = JSON.parse(line)
    expect(waiting.text).toBe('')
    return `${JSON.stringify({ ...waiting, text: waiting.gold[0].quote })}\n`
  })
  writeFileSync(file, filled.join(''))
}

test('the commands of docs/quickstart.md, and the retrieval tests of docs/ci.md, do what the pages say', async () => {
  const folder = temporaryFolder()
  for (const path of ['configs/quickstart.yaml', 'configs/expected', 'datasets/quickstart', 'docs'])
    cpSync(join(root, path), join(folder, path), { recursive: true })
  const page = readFileSync(join(root, 'docs', 'quickstart.md'), 'utf8')
  const ci = readFileSync(join(root, 'docs', 'ci.md'), 'utf8')
  const commands = [
    ...page.matchAll(/^npx touchstone (.*)$/gm),
    ...ci.matchAll(/^ {4}npx touchstone (test .*)$/gm),
  ].map(([, line]) => line)
  const printed = new Map<string, string>()
  for (const command of commands) {
    const terminal = standIn({ folder })
    const [name, ...rest] = words(command)
    const argv = name === 'run' ? [name, ...rest, '--workers', '1'] : [name, ...rest]
    const code = await main(argv, terminal)
    expect(code, `${command}\n${terminal.stderr()}`).toBe(0)
    printed.set(name, `${printed.get(name) ?? ''}${terminal.stdout()}`)
    if (name === 'init') fillIn(join(folder, 'mine', 'questions.jsonl'))
  }
  expect(printed.get('run')).toMatch(/better|worse|cannot tell/)
  expect(printed.get('score')).toMatch(/naive.* +0\.6028 /)
  expect(printed.get('compare')).toMatch(/better|worse|cannot tell/)
  expect(printed.get('compare')).toContain('gold: p007: rank 2 -> rank 54')
  expect(printed.get('gate')).toBe('0 of 7 scores differ by more than 0.0001\n')
})
