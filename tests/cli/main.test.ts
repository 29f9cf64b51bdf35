import { describe, expect, onTestFinished, test } from 'vitest'
import { defineCommand } from '../../src/cli/command.ts'
import { COMMANDS, loadCommands } from '../../src/cli/commands.ts'
import { main } from '../../src/cli/main.ts'
import { standIn } from './stand-in.ts'

// Exit codes 0, 2 and 130 are those of golden/stories and of runs that are interrupted.
test('exit code 1 for a bug, with its stack', async () => {
  const command = defineCommand({
    name: 'mine',
    summary: 'a test',
    args: {},
    options: {},
    examples: [],
    run: async () => {
      throw new TypeError('oops')
    },
  })
  const commands = COMMANDS as Record<string, unknown>
  commands.mine = async () => ({ default: command })
  onTestFinished(() => void delete commands.mine)
  const terminal = standIn({ folder: '/home' })
  expect(await main(['mine'], terminal)).toBe(1)
  expect(terminal.stderr()).toMatch(/TypeError: oops\n\s+at /)
})

describe('command lines', () => {
  const run = async (...argv: string[]) => {
    const terminal = standIn()
    return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
  }

  test('--help names every command; nothing at all is an error', async () => {
    const help = await run('--help')
    expect(help.code).toBe(0)
    for (const name of Object.keys(COMMANDS)) expect(help.out).toContain(`  ${name} `)
    expect(Math.max(...help.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect((await run()).code).toBe(2)
  })

  test.each(Object.keys(COMMANDS))('%s --help has an example and fits 80 columns', async (name) => {
    const { code, out } = await run(name, '--help')
    expect(code).toBe(0)
    expect(out).toMatch(/Examples:\n {2}\$ touchstone /)
    expect(out).toContain('--json')
    const lines = out.slice(0, out.indexOf('Examples:')).split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  test('every example parses', async () => {
    const { parseCommandLine } = await import('../../src/cli/parse.ts')
    for (const command of await loadCommands()) {
      for (const example of command.examples) {
        const [program, name, ...rest] = shellWords(example)
        expect(program).toBe('touchstone')
        const { default: named } = await COMMANDS[name]()
        expect(() => parseCommandLine(named, rest, standIn()), example).not.toThrow()
      }
    }
  })
})

function shellWords(line: string): string[] {
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  const end = words.findIndex((word) => /^[>|]/.test(word))
  return words.slice(0, end < 0 ? undefined : end).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
}
