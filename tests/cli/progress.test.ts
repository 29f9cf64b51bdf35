import { describe, expect, test } from 'vitest'
import { duration, progressLine, showProgress } from '../../src/cli/progress.ts'
import { standIn } from './stand-in.ts'

describe('progress', () => {
  test('says how much, how fast and how long still', () => {
    const work = { what: 'embed', total: 1000, megabytes: 81.6 }
    expect(progressLine({ ...work, done: 250, seconds: 5, fresh: 250 })).toBe(
      'embed  250/1000   25 %   50/s   15s left   82 MB',
    )
    expect(progressLine({ ...work, done: 3, seconds: 6, fresh: 3, note: 'recall@5 61.2 by bm25' })).toBe(
      'embed  3/1000   0 %   0.5/s   33m 14s left   82 MB   recall@5 61.2 by bm25',
    )
    expect(progressLine({ ...work, total: 1, done: 0, seconds: 0, fresh: 0 })).toBe('embed   82 MB')
    expect([duration(0.2), duration(59), duration(61), duration(7260)]).toEqual([
      '1s',
      '59s',
      '1m 1s',
      '2h 1m',
    ])
  })

  test('a resumed work is rated by what it did since', () => {
    const work = { what: 'embed', done: 950, total: 1000, seconds: 10, fresh: 50, megabytes: 1 }
    expect(progressLine(work)).toContain('5.0/s   10s left')
  })

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

  test('on a terminal a step of a second leaves a line with its time; the one around it and short ones leave none', () => {
    const terminal = standIn({ isTerminal: true, columns: 100 })
    const { progress } = showProgress(terminal.err, terminal.clock, terminal.memory)
    progress('embeddings', 0, 1)
    progress('embedding MiniLM', 0, 1581)
    terminal.wait(12_400)
    progress('embedding MiniLM', 1581, 1581)
    terminal.wait(1000)
    progress('embeddings', 1, 1)
    progress('short', 0, 1)
    progress('short', 1, 1)
    expect(terminal.stderr().match(/✓.*\n/g)).toEqual(['✓ embedding MiniLM  1,581   12.4 s\n'])
    expect(terminal.stderr()).toContain('embedding MiniLM  ────────────────  0/1581   0 %')
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

test.each([
  [0, '0s'],
  [59, '59s'],
  [59.1, '1m 0s'],
  [60, '1m 0s'],
  [119, '1m 59s'],
  [3599, '59m 59s'],
  [3600, '1h 0m'],
  [3659, '1h 0m'],
  [7259, '2h 0m'],
  [7501, '2h 5m'],
])('%f seconds are %s', (seconds, words) => {
  expect(duration(seconds)).toBe(words)
})
