import { afterEach, expect, test } from 'vitest'
import { hearSignals } from '../../src/cli/io.ts'
import { isStopping, requestStop } from '../../src/stopping.ts'
import { standIn } from './stand-in.ts'

afterEach(() => requestStop(false))

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a command that has nothing to resume at once', (signal, code) => {
  const terminal = standIn()
  const stops: number[] = []
  hearSignals(terminal, undefined, (outcome) => void stops.push(outcome))
  terminal.interrupt(signal)
  expect(terminal.stderr()).toBe('\nstopped; start again with the same command\n')
  expect([terminal.exits, stops, isStopping()]).toEqual([[code], [], false])
})

test('the first signal asks a command to stop and says how to resume; the second one ends it', () => {
  const terminal = standIn()
  const stops: number[] = []
  const forget = hearSignals(terminal, 'the experiment is kept', (outcome) => void stops.push(outcome))
  terminal.interrupt('SIGTERM')
  expect(terminal.stderr()).toBe(
    '\nfinishing the work in progress; press Ctrl-C again to stop at once\nthe experiment is kept: resume with the same command\n',
  )
  expect([terminal.exits, stops, isStopping()]).toEqual([[], [143], true])
  terminal.interrupt('SIGINT')
  expect([terminal.exits, stops]).toEqual([[143], [143]])
  // Still heard when the command has ended, until the process does.
  forget()
  terminal.interrupt('SIGINT')
  expect(terminal.exits).toEqual([143, 143])
})
