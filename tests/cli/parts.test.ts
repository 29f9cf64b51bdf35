import { describe, expect, test } from 'vitest'
import { openIo } from '../../src/cli/io.ts'
import { standIn } from './stand-in.ts'

describe('output of a command', () => {
  test('goes to stdout line by line, errors to stderr; with --json stdout holds the value alone', () => {
    const print = (json: boolean) => {
      const terminal = standIn()
      const io = openIo(terminal, json)
      io.out('a\n')
      io.painted('b\u0007')
      io.part('c')
      io.err('d\n\n')
      io.json({ e: 1 })
      return [terminal.stdout(), terminal.stderr()]
    }
    const bell = print(false)[0].slice(2, -14)
    expect(bell).not.toContain('\u0007')
    expect(print(false)).toEqual([`a\n${bell}c{\n  "e": 1\n}\n`, 'd\n\n'])
    expect(print(true)).toEqual(['{\n  "e": 1\n}\n', `a\n${bell}cd\n\n`])
  })

  test('asks for a yes, if there is somebody to ask', async () => {
    expect(openIo(standIn(), false).confirm).toBeNull()
    const terminal = standIn({ typed: 'y' })
    expect(await openIo(terminal, false).confirm?.('Sure?')).toBe(true)
    expect(terminal.stderr()).toBe('Sure? [y/N] ')
    const answer = (typed: string) => openIo(standIn({ typed }), false).confirm?.('Sure?')
    expect(await Promise.all([' YES \n', 'Y', '', 'n', 'yep', 'ye'].map(answer))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})
