import { describe, expect, test } from 'vitest'
import { duration, progressLine, showProgress } from '../../src/cli/progress.ts'
import { standIn } from './stand-in.ts'

describe('progress', () => {
  test('says how much, how fast and how long still', () => {
    expect(progressLine('embed', 250, 1000, 5, 250)).toBe('embed  250/1000   25 %   50/s   15s left')
    expect(progressLine('embed', 3, 1000, 6, 3)).toBe('embed  3/1000   0 %   0.5/s   33m 14s left')
    expect(progressLine('fit', 0, 1, 0, 0)).toBe('fit')
    expect([duration(0.2), duration(59), duration(61), duration(7260)]).toEqual([
      '1s',
      '59s',
      '1m 1s',
      '2h 1m',
    ])
  })

  test('a resumed work is rated by what it did since', () => {
    expect(progressLine('embed', 950, 1000, 10, 50)).toContain('5.0/s   10s left')
  })

  test('without a terminal: a line a minute', () => {
    const terminal = standIn()
    const { progress } = showProgress(terminal.err, terminal.clock)
    for (let done = 0; done < 300; done++) {
      progress('embed', done, 300)
      terminal.wait(1000)
    }
    progress('embed', 300, 300)
    expect(terminal.stderr().trimEnd().split('\n')).toHaveLength(4)
    expect(terminal.stderr()).toContain('embed  60/300   20 %   1.0/s   4m 0s left\n')
  })

  test('on a terminal: one line, never wider than it, gone at the end', () => {
    const terminal = standIn({ isTerminal: true, columns: 20 })
    const { progress } = showProgress(terminal.err, terminal.clock)
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
