import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Command } from '../../src/cli/command.ts'
import { loadCommands } from '../../src/cli/commands.ts'
import { completionScript } from '../../src/cli/completion.ts'
import { main } from '../../src/cli/main.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

const commands = await loadCommands()
const has = (shell: string) => spawnSync(shell, ['--version']).status === 0

/** A command whose words hold what shells take for their own. */
const HOSTILE: Command = {
  name: 'hostile',
  summary: "it's [a]: $(touch hurt) `touch hurt` \\ \"quoted\" 'twice'",
  args: { which: { value: 'WHICH', summary: 'which', choices: ['one', 'two'] } },
  options: {
    plain: { kind: 'flag', summary: "don't: [touch] $(touch hurt) `touch hurt` \\" },
    kind: { kind: 'text', short: 'k', value: 'KIND', summary: "it's", choices: ['red', 'green'] },
  },
  examples: [],
  async run() {},
}
const SHELLS = ['bash', 'zsh', 'fish'] as const

/** What a shell offers for the last word of a line. */
const offers = {
  bash(line: string, all = commands): string[] {
    const words = line.split(' ')
    const script = `${completionScript('bash', all)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_touchstone; printf '%s\\n' "\${COMPREPLY[@]}"`
    return linesOf(spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }))
  },
  fish(line: string, all = commands): string[] {
    const script = `${completionScript('fish', all)}\ncomplete -C '${line}'`
    const env = { ...process.env, HOME: temporaryFolder() }
    const found = linesOf(spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8', env }))
    return found.map((text) => text.split('\t')[0])
  },
}

function linesOf({ stdout, stderr }: { stdout: string; stderr: string }): string[] {
  expect(stderr).toBe('')
  return stdout.split('\n').filter(Boolean).sort()
}

describe.each(['bash', 'fish'] as const)('%s', (shell) => {
  const offer = offers[shell]
  test.skipIf(!has(shell))('completes commands, options, their choices and the first argument', () => {
    expect(offer('touchstone recor')).toEqual(['recording'])
    expect(offer('touchstone run-')).toEqual(['run-shard'])
    expect(offer('touchstone gate --base')).toEqual(['--baseline'])
    expect(offer('touchstone compare a b --correction m')).toEqual(['max-t'])
    expect(offer('touchstone recording ')).toEqual(['export', 'prune', 'stats', 'verify'])
    // The word of an action is also the name of a command.
    expect(offer('touchstone recording export --ke')).toEqual(['--keep'])
    expect(offer('touchstone hostile -k ', [HOSTILE])).toEqual(['green', 'red'])
  })
})

test.each(SHELLS.filter(has))(
  'a script for %s is read without an error, whatever words a command holds',
  (shell) => {
    const folder = temporaryFolder({ script: completionScript(shell, [...commands, HOSTILE]) })
    expect(spawnSync(shell, ['-n', join(folder, 'script')], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
  },
)

test.each(SHELLS)('a script for %s holds every command and option', (shell) => {
  const script = completionScript(shell, commands)
  for (const { name, options } of commands) {
    expect(script).toContain(name)
    for (const key of Object.keys(options))
      expect(script).toContain(key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
  }
})

test('completion prints the script of a shell and knows no other shell', async () => {
  const run = async (...argv: string[]) => {
    const terminal = standIn()
    return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
  }
  const { code, out } = await run('completion', 'bash')
  expect([code, out]).toEqual([0, `${completionScript('bash', commands)}\n`])
  expect(await run('completion', 'fihs')).toMatchObject({
    code: 2,
    err: 'there is no shell `fihs` (did you mean "fish"?); there are bash, zsh, fish\n',
  })
})
