import { isHeader } from '../../tables/roles.ts'
import { csvRow, parseCsv } from '../../text/csv.ts'
import { takeRows, writeText } from '../source.ts'
import type { RunFormat } from '../types.ts'

/** CSV with a header: `query_id,document_id,score,run` and `query_id,document_id,grade,group`; other common names are known. */
export const csv: RunFormat = {
  name: 'csv',
  summary: 'CSV with a header: query_id, document_id, score (run), or grade (group)',
  extension: '.csv',
  detect({ path, head }) {
    const [header] = head.split('\n')
    return /\.csv(\.gz)?$/i.test(path) || (header.includes(',') && isHeader(header.split(',')))
  },
  read({ text }, into, kind) {
    const [header, ...rows] = parseCsv(text())
    takeRows(header, rows, into, kind)
  },
  writes: ['run', 'qrels'],
  hasGroups: true,
  write(path, rows, kind) {
    const isWide = kind === 'run' || rows.some(({ extra }) => extra !== '')
    const [value, extra] = kind === 'run' ? ['score', 'run'] : ['grade', 'group']
    const header = `query_id,document_id,${value}${isWide ? `,${extra}` : ''}\n`
    const lines = rows.map(
      ({ query, id, value, extra }) => `${csvRow([query, id, value, ...(isWide ? [extra] : [])])}\n`,
    )
    writeText(path, header + lines.join(''))
  },
}
