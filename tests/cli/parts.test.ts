import { describe, expect, test } from 'vitest'
import { openIo } from '../../src/cli/io.ts'
import {
  chosenColumns,
  columnChoice,
  judgedShare,
  leavesOutMissing,
  warnOfForeignIds,
} from '../../src/cli/judged-runs.ts'
import { progressLine, showProgress } from '../../src/cli/progress.ts'
import { COLOURED, PLAIN } from '../../src/report/terminal.ts'
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

  test('is coloured on a terminal, unless somebody reads it', () => {
    const paint = (options: Parameters<typeof standIn>[0], json = false) =>
      openIo(standIn(options), json).paint
    expect(paint({ isTerminal: true })).toBe(COLOURED)
    for (const plain of [
      paint({}),
      paint({ isTerminal: true, env: { NO_COLOR: '1' } }),
      paint({ isTerminal: true }, true),
    ])
      expect(plain).toBe(PLAIN)
    expect(paint({ isTerminal: true, env: { NO_COLOR: '' } })).toBe(COLOURED)
    const columns = (options: object) => openIo(standIn(options), false).columns
    expect([columns({ isTerminal: true, columns: 100 }), columns({ columns: 100 })]).toEqual([100, 80])
    expect([
      openIo(standIn({ isTerminal: true }), false).isTerminal,
      openIo(standIn(), false).isTerminal,
    ]).toEqual([true, false])
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

  test('wipes the bar of a work before a line', () => {
    for (const say of ['out', 'err', 'part', 'painted'] as const) {
      const terminal = standIn({ isTerminal: true })
      const io = openIo(terminal, true)
      io.progress('work', 0, 2)
      io[say]('line')
      const [before, bar, line] = terminal.stderr().split('\r\x1b[2K')
      expect([before, bar.slice(0, 5), line.trimEnd()]).toEqual(['', 'work ', 'line'])
      io.close()
      expect(terminal.stderr()).toMatch(/line\n?$/)
    }
  })
})

describe('a line of progress', () => {
  const work = { what: 'w', done: 1, total: 2, fresh: 0, seconds: 0, megabytes: 1.4 }
  test.each([
    [{}, 'w  1/2   50 %   1 MB'],
    [{ seconds: 1 }, 'w  1/2   50 %   1s   1 MB'],
    [{ seconds: 0.9 }, 'w  1/2   50 %   1 MB'],
    [{ seconds: 10, fresh: 100, done: 100, total: 200 }, 'w  100/200   50 %   10/s   10s left   1 MB'],
    [{ seconds: 10, fresh: 99, done: 99, total: 199 }, 'w  99/199   49 %   9.9/s   11s left   1 MB'],
    [{ total: 1, done: 0, seconds: 70 }, 'w   1m 10s   1 MB'],
    [{ hasBar: true }, 'w  ━━━━━━━━────────  1/2   50 %   1 MB'],
    [{ note: 'n', fresh: 1 }, 'w  1/2   50 %   1 MB   n'],
  ])('%j is %s', (more, line) => {
    expect(progressLine({ ...work, ...more })).toBe(line)
  })

  test('is redrawn at most ten times a second; a finished step of a second leaves its time', () => {
    const terminal = standIn({ isTerminal: true, columns: 200 })
    const { progress, clear } = showProgress(terminal.err, terminal.clock, terminal.memory)
    progress('a\nb', 0, 4)
    terminal.wait(99)
    progress('a\nb', 1, 4)
    terminal.wait(1)
    progress('a\nb', 2, 4)
    clear()
    clear()
    terminal.wait(899)
    progress('a\nb', 4, 4)
    const frames = terminal.stderr().split('\r\x1b[2K')
    expect(frames).toEqual([
      '',
      expect.stringMatching(/^a b .*0\/4/),
      expect.stringMatching(/^a b .*2\/4/),
      '',
    ])
    const finished = (milliseconds: number, total: number) => {
      const own = standIn({ isTerminal: true })
      const shown = showProgress(own.err, own.clock, own.memory)
      shown.progress('step', 0, total)
      own.wait(milliseconds)
      shown.progress('step', total, total)
      return own.stderr().split('\r\x1b[2K').at(-1)
    }
    expect([
      finished(999, 2),
      finished(1000, 1),
      finished(1000, 2),
      finished(59_949, 1500),
      finished(60_000, 2),
    ]).toEqual([
      '',
      '✓ step   1.0 s\n',
      '✓ step  2   1.0 s\n',
      '✓ step  1,500   59.9 s\n',
      '✓ step  2   1m 0s\n',
    ])
  })
})

describe('options of judged runs', () => {
  test('name columns by role', () => {
    const choice = (text?: string) => columnChoice('--run-columns', text, ['query', 'score'])
    expect([choice(), choice('query=qid'), choice(' query = a , score=3')]).toEqual([
      undefined,
      { query: 'qid' },
      { query: 'a', score: '3' },
    ])
    for (const wrong of ['query', 'query=', 'rank=a', 'query=a=b', 'score=1,', ''])
      expect(() => choice(wrong)).toThrow(
        /^--run-columns: `.*` is not ROLE=COLUMN; the roles are query, score$/,
      )
    expect(() => choice('score=1,x=2')).toThrow('`x=2` is not')
    expect(chosenColumns({ qrelsColumns: 'group=g', runColumns: 'run=r' })).toEqual({
      qrels: { group: 'g' },
      run: { run: 'r' },
    })
    expect(() => chosenColumns({ qrelsColumns: 'score=1' })).toThrow(
      '--qrels-columns: `score=1` is not ROLE=COLUMN; the roles are query, document, grade, group',
    )
    expect(() => chosenColumns({ runColumns: 'grade=1' })).toThrow(
      '--run-columns: `grade=1` is not ROLE=COLUMN; the roles are query, document, score, run',
    )
  })

  test('leave missing queries out where the dialect does or it is said', () => {
    const left = (complete: boolean, presentOnly: boolean, dialect: boolean) =>
      leavesOutMissing({ complete, presentOnly }, { presentOnly: dialect } as never)
    expect([
      left(false, false, false),
      left(false, false, true),
      left(true, false, true),
      left(false, true, false),
      left(false, true, true),
    ]).toEqual([false, true, false, true, true])
    expect(() => left(true, true, false)).toThrow('--complete and --present-only contradict: say one')
  })

  test('warn of runs with other ids', () => {
    const warned = (judged: number | null, meets: boolean) => {
      const lines: string[] = []
      warnOfForeignIds('r', { judged, meets }, 'q', { err: (line) => void lines.push(line) })
      return lines
    }
    expect([warned(0, true), warned(null, false), warned(0, false)]).toEqual([
      [],
      [],
      ['warning: r: none of its documents is judged in q: are the document ids the same?'],
    ])
    expect([judgedShare({ judged: null }), judgedShare({ judged: 0.5 })]).toEqual(['', '0.5000'])
  })
})
