import { afterEach, describe, expect, test } from 'vitest'
import { defineCommand } from '../../src/cli/command.ts'
import { COMMANDS, loadCommands } from '../../src/cli/commands.ts'
import { main } from '../../src/cli/main.ts'
import { UserError } from '../../src/errors.ts'
import { requestStop } from '../../src/stopping.ts'
import { standIn } from './stand-in.ts'

/** A command line with one command of the test's own beside the real ones. */
async function runWith(
  run: (input: {
    io: { out(text: string): void; json(value: unknown): void }
    signal: AbortSignal
  }) => Promise<number | undefined>,
  argv: readonly string[] = [],
  interrupted?: string,
) {
  const terminal = standIn({ folder: '/home' })
  let begin = () => {}
  const begun = new Promise<void>((done) => {
    begin = done
  })
  const command = defineCommand({
    name: 'mine',
    summary: 'a test',
    args: {},
    options: {},
    examples: [],
    interrupted,
    run: (input) => {
      begin()
      return run(input)
    },
  })
  const commands = COMMANDS as Record<string, unknown>
  commands.mine = async () => ({ default: command })
  try {
    return { terminal, begun, code: main(['mine', ...argv], terminal) }
  } finally {
    await Promise.resolve()
    delete commands.mine
  }
}

describe('exit codes', () => {
  test('2 for an error: every message with its place, no stack', async () => {
    const { terminal, code } = await runWith(async () => {
      throw new UserError([
        { file: '/home/a.yaml', line: 3, column: 5, message: 'first' },
        { message: 'second' },
      ])
    })
    expect(await code).toBe(2)
    expect(terminal.stderr()).toBe('a.yaml:3:5: first\nsecond\n')
    expect(terminal.stdout()).toBe('')
  })

  test('2 with --json: the errors are the one value on stdout', async () => {
    const fail = async () => {
      throw new UserError({ file: '/else/where.yaml', message: 'no' })
    }
    const { terminal, code } = await runWith(fail, ['--json'])
    expect(await code).toBe(2)
    expect(JSON.parse(terminal.stdout())).toEqual({
      diagnostics: [{ file: '/else/where.yaml', message: 'no' }],
    })
  })

  test('1 for a bug, with its stack', async () => {
    const { terminal, code } = await runWith(async () => {
      throw new TypeError('oops')
    })
    expect(await code).toBe(1)
    expect(terminal.stderr()).toMatch(/TypeError: oops\n\s+at /)
  })
})

describe('Ctrl-C', () => {
  // Test files share a process, and so its request to stop.
  afterEach(() => requestStop(false))

  /** Runs until told to stop, as a run of shards does. */
  const untilStopped = ({ signal }: { signal: AbortSignal }) =>
    new Promise<undefined>((done) => signal.addEventListener('abort', () => done(undefined)))

  test('once asks to stop and says how to go on; exit 130', async () => {
    const { terminal, begun, code } = await runWith(untilStopped, [], 'resume with the same command')
    await begun
    terminal.interrupt()
    expect(await code).toBe(130)
    expect(terminal.stderr()).toContain('resume with the same command')
    expect(terminal.exits).toEqual([])
  })
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
