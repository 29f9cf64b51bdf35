import { describe, expect, test } from 'vitest'
import { showProgress } from '../../src/cli/progress.ts'
import { standIn } from './stand-in.ts'

describe('progress', () => {
  test('without a terminal: a line a minute', () => {
    const terminal = standIn()
    const { progress } = showProgress(terminal.err, terminal.clock, terminal.memory)
    for (let done = 0; done < 300; done++) {
      progress('embed', done, 300)
      terminal.wait(1000)
    }
    progress('embed', 300, 300)
    expect(terminal.stderr().trimEnd().split('\n')).toHaveLength(5)
    expect(terminal.stderr()).toMatch(/\n✓ embed {2}300 {3}5m 0s\n$/)
    expect(terminal.stderr()).toContain('embed  60/300   20 %   1.0/s   4m 0s left   120 MB\n')
  })

  test('on a terminal: one line, never wider than it, gone at the end', () => {
    const terminal = standIn({ isTerminal: true, columns: 20 })
    const { progress } = showProgress(terminal.err, terminal.clock, terminal.memory)
    progress('a work with a long name', 0, 10)
    terminal.wait(200)
    progress('a work with a long name', 5, 10)
    progress('a work with a long name', 10, 10)
    const frames = terminal.stderr().split('\r\x1b[2K').slice(1)
    expect(frames).toHaveLength(3)
    expect(Math.max(...frames.map((frame) => frame.length))).toBeLessThan(20)
    expect(frames.at(-1)).toBe('')
  })
})
