import { afterEach, expect, test, vi } from 'vitest'
import { csvText } from '../../../src/report/browser/files.ts'

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
