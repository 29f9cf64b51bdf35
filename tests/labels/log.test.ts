import fs, { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { actionOf, appendActions, readLogs, requireLabeller } from '../../src/labels/folder.ts'
import { type Act, type LogHeader, pairOf, standingOf } from '../../src/labels/log.ts'
import { temporaryFolder } from '../temporary.ts'

const AT = '2026-11-25T10:00:00.000Z'
const PASSAGE = '0123456789abcdef'
const OTHER = 'fedcba9876543210'
const header = (labeller = 'ada'): LogHeader => ({
  touchstone: 'label log',
  format: 1,
  labeller,
  kind: 'person',
})
const grade = (id: string, value: number, passage = PASSAGE) =>
  actionOf({ do: 'grade', query: 'q1', passage, grade: value }, id, AT)
const act = (id: string, request: Act) => actionOf(request, id, AT)

describe('a log', () => {
  test('keeps every act, and the last one on a passage counts', () => {
    const folder = temporaryFolder()
    appendActions(folder, header(), [grade('1', 0)])
    appendActions(folder, header(), [grade('2', 3), grade('3', 1, OTHER)])
    const [{ actions }] = readLogs(folder)
    expect(actions.map(({ id }) => id)).toEqual(['1', '2', '3'])
    const { grades, last } = standingOf(actions)
    expect(grades.get(pairOf('q1', PASSAGE))?.grade).toBe(3)
    expect(last?.id).toBe('3')
  })

  test('undoes an act by naming it; what it replaced counts again', () => {
    const acts = [grade('1', 0), grade('2', 3), act('3', { do: 'undo', of: '2' })]
    const { grades, last } = standingOf(acts)
    expect(grades.get(pairOf('q1', PASSAGE))?.grade).toBe(0)
    expect(last?.id).toBe('1')
    const skipped = [...acts, act('4', { do: 'skip', query: 'q1', passage: PASSAGE })]
    expect(standingOf(skipped).grades.size).toBe(0)
    expect(standingOf([...skipped, act('5', { do: 'undo', of: '4' })]).grades.size).toBe(1)
    expect([skipped, [...skipped, grade('6', 1)]].map((all) => standingOf(all).skipped.size)).toEqual([1, 0])
  })

  test('is whole on a disk that takes some bytes at a time', () => {
    const folder = temporaryFolder()
    const { writeSync } = fs
    const disk = vi
      .spyOn(fs, 'writeSync')
      .mockImplementation((file: number, data: unknown, from: unknown) => {
        const bytes = Buffer.from(data as string).subarray(Number(from ?? 0))
        return writeSync(file, bytes.subarray(0, 7))
      })
    syncBuiltinESMExports()
    onTestFinished(() => {
      disk.mockRestore()
      syncBuiltinESMExports()
    })
    appendActions(folder, header(), [grade('1', 2), grade('2', 3, OTHER)])
    expect(readLogs(folder)).toMatchObject([{ torn: 0, actions: [{ id: '1' }, { id: '2' }] }])
  })

  test.each([1, 40, 90, 130])('cut off by a crash %i bytes before its end loses no stored act', (bytes) => {
    const folder = temporaryFolder()
    appendActions(folder, header(), [grade('1', 2)])
    const file = join(folder, 'ada.labels.jsonl')
    const whole = readFileSync(file, 'utf8')
    const line = `${JSON.stringify(grade('2', 3))}\n`
    writeFileSync(file, whole + line.slice(0, -bytes))
    const before = readLogs(folder)[0]
    expect(before.actions[0].id).toBe('1')
    appendActions(folder, header(), [grade('3', 1, OTHER)])
    const after = readLogs(folder)[0]
    expect(after.actions.map(({ id }) => id)).toEqual(bytes === 1 ? ['1', '2', '3'] : ['1', '3'])
    expect(after.torn).toBe(bytes === 1 || bytes >= line.length ? 0 : 1)
  })

  test('whose header was cut off begins again', () => {
    const folder = temporaryFolder({ 'ada.labels.jsonl': '{"touchstone":"lab' })
    expect(readLogs(folder)).toEqual([])
    appendActions(folder, header(), [grade('1', 2)])
    expect(readLogs(folder)[0].actions).toHaveLength(1)
  })
})

describe('labellers', () => {
  test('have names that differ in more than case', () => {
    const folder = temporaryFolder()
    appendActions(folder, header('Ada'), [grade('1', 2)])
    expect(requireLabeller(folder, 'Ada')).toBe('Ada')
    for (const twin of ['ada', '\uff21da'])
      expect(() => requireLabeller(folder, twin)).toThrow('too like "Ada"')
  })

  test('of one name in two files are refused, both named', () => {
    const folder = temporaryFolder()
    appendActions(folder, header('ada'), [grade('1', 2)])
    writeFileSync(join(folder, 'copy.labels.jsonl'), readFileSync(join(folder, 'ada.labels.jsonl')))
    expect(() => readLogs(folder)).toThrow(
      /copy\.labels\.jsonl.*is of the labeller "ada", as .*ada\.labels\.jsonl is/s,
    )
  })

  test('write through no link', () => {
    const folder = temporaryFolder({ target: '' })
    symlinkSync(join(folder, 'target'), join(folder, 'ada.labels.jsonl'))
    expect(() => appendActions(folder, header(), [grade('1', 2)])).toThrow()
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('')
  })
})
