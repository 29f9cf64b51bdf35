import { afterEach, describe, expect, test, vi } from 'vitest'
import { copyText, csvText, save, saveJson } from '../../../src/report/browser/files.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a CSV file quotes what needs it, and no text is a formula', () => {
  const rows = [
    ['plain', 'a,b', 'say "x"', 'two\nlines', 'cr\r'],
    [1, -2.5, Number.NaN, Number.POSITIVE_INFINITY, null],
    ['=1+1', '+1', '-1', '@x', '\tx'],
    ['\rx', undefined, true, 'a=b', ''],
  ]
  expect(csvText(['a', 'b', 'c', 'd', 'e'], rows)).toBe(
    [
      'a,b,c,d,e',
      'plain,"a,b","say ""x""","two\nlines","cr\r"',
      '1,-2.5,,,',
      "'=1+1,'+1,'-1,'@x,'\tx",
      '"\'\rx",,true,a=b,',
      '',
    ].join('\r\n'),
  )
})

test('a file is offered by a link to a blob, which is released later', async () => {
  vi.useFakeTimers()
  const blobs: Blob[] = []
  const links: object[] = []
  let clicked = 0
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`)
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {})
  const createElement = () => {
    const link = { click: () => void clicked++ }
    links.push(link)
    return link
  }
  vi.stubGlobal('document', { createElement })
  save('a.csv', 'a,b')
  saveJson('b.json', { a: [1] })
  expect(links).toMatchObject([
    { href: 'blob:1', download: 'a.csv' },
    { href: 'blob:2', download: 'b.json' },
  ])
  expect(clicked).toBe(2)
  expect(await Promise.all(blobs.map((blob) => blob.text()))).toEqual(['a,b', '{\n  "a": [\n    1\n  ]\n}'])
  expect(blobs.map(({ type }) => type)).toEqual(['text/csv;charset=utf-8', 'application/json;charset=utf-8'])
  vi.advanceTimersByTime(9_999)
  expect(revoke).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(revoke.mock.calls).toEqual([['blob:1'], ['blob:2']])
})

describe('copying', () => {
  test('uses the clipboard', async () => {
    const writeText = vi.fn(async () => {})
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    expect(await copyText('a text')).toBe(true)
    expect(writeText).toHaveBeenCalledWith('a text')
  })

  test.each([true, false])(
    'copies a selection without a clipboard; the browser takes it: %s',
    async (takes) => {
      const seen: string[] = []
      const area = { value: '', select: () => seen.push('select'), remove: () => seen.push('remove') }
      vi.stubGlobal('navigator', {})
      vi.stubGlobal('document', {
        createElement: (kind: string) => {
          seen.push(kind)
          return area
        },
        body: { append: (one: unknown) => seen.push(one === area ? 'append' : 'other') },
        execCommand: (command: string) => {
          seen.push(`${command} ${area.value}`)
          return takes
        },
      })
      expect(await copyText('a text')).toBe(takes)
      expect(seen).toEqual(['textarea', 'append', 'select', 'copy a text', 'remove'])
    },
  )
})
