import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { xlsx } from '../../../src/dataset/folder/readers/xlsx.ts'
import { loadDataset } from '../../../src/dataset/load.ts'
import { temporaryFolder } from '../../temporary.ts'

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`

interface Parts {
  readonly sheet?: string
  readonly behind?: string
  readonly formats?: readonly string[]
}

/** A spreadsheet of one sheet from the XML of its rows; `formats` are those of the cell styles from 1. */
function book(rows: readonly string[], { sheet = '', behind = '', formats = [] }: Parts = {}): Uint8Array {
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const relations = (inner: string) =>
    `<Relationships xmlns="${PACKAGE}/relationships">${inner}</Relationships>`
  const styles = `<styleSheet ${MAIN}><numFmts>${formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`
  const files = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"/>`,
    '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets><sheet name="S" sheetId="1" ${sheet} r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation(1, 'worksheet', 'worksheets/sheet1.xml') + relation(2, 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': styles,
    'xl/worksheets/sheet1.xml': `<worksheet ${MAIN}><sheetData>${rows.map((row, at) => (row.startsWith('<row') ? row : `<row r="${at + 1}">${row}</row>`)).join('')}</sheetData>${behind}</worksheet>`,
  }
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)])),
  )
}

const HEAD = text('A1', 'id') + text('B1', 'text')
const row = (at: number, id: string, value = `Text ${at}.`) => `${id}${text(`B${at}`, value)}`
const read = async (...parts: Parameters<typeof book>) => xlsx.read(book(...parts), 'a.xlsx')

describe('a spreadsheet of documents', () => {
  test('shows numbers with leading zeros and percent signs, as their format does, and no rounding errors', async () => {
    const rows = [
      HEAD,
      row(2, '<c r="A2" s="1"><v>7</v></c>'),
      row(3, '<c s="1" r="A3" t="n"><v>1234</v></c>'),
      row(4, '<c r="A4" s="2"><v>7</v></c>'),
      row(5, '<c r="A5"><v>7.5</v></c>'),
      row(6, '<c r="A6" s="3"><v>0.123</v></c>'),
      row(7, '<c r="A7"><v>0.30000000000000004</v></c>'),
      row(8, '<c r="A8" s="3"><v>0.56999999999999995</v></c>'),
      row(9, `<c r="A9" s="1" t="inlineStr"><is><t>8</t></is></c>`),
    ]
    const documents = await read(rows, { formats: ['000', '0.00', '0.0%'] })
    expect(documents.map(({ part }) => part)).toEqual(['007', '1234', '7', '7.5', '12.3%', '0.3', '57%', '8'])
    expect(documents[0].remarks).toBeUndefined()
  })

  test.each([
    ['sheet', { sheet: 'state="hidden"' }, [HEAD, row(2, text('A2', 'a'))]],
    ['row', {}, [HEAD, `<row r="2" hidden="1">${row(2, text('A2', 'a'))}</row>`]],
  ])('is read with what it hides, which is said: %s', async (_, parts, rows) => {
    const [{ text: read0, remarks }] = await read(rows, parts)
    expect([read0, remarks]).toEqual(['Text 2.', ['with hidden sheets, rows or columns, read as the others']])
  })
})

describe('a spreadsheet of questions', () => {
  const datasetOf = (quote: string, parts?: Parts) =>
    loadDataset(
      { name: 'folder', params: { path: 'notes', questions: 'q.xlsx' } },
      temporaryFolder({
        'notes/lomm.md': 'Lomm lies at Orr.\n',
        'q.xlsx': book(
          [
            text('A1', 'question') + text('B1', 'file') + text('C1', 'quote'),
            text('A2', 'Where?') + text('B2', 'lomm.md') + quote,
          ],
          parts,
        ),
      }),
    )
  const refusal = (quote: string, parts?: Parts) =>
    datasetOf(quote, parts).then(
      () => 'taken',
      ({ message }: Error) => message,
    )

  test('has no cell whose formula failed', async () => {
    expect((await datasetOf(text('C2', 'at Orr'))).spans.get('q1')).toMatchObject([{ start: 10, end: 16 }])
    // The quote was empty, so the whole document was gold.
    expect(await refusal('<c r="C2" s="0" t="e"><f>1/0</f><v>#DIV/0!</v></c>')).toContain(
      'q.xlsx: has cells whose formula failed or was never calculated: C2 (#DIV/0!); save',
    )
    expect(await refusal('<c r="C2" t="e"><f>IF(#REF!,2)</f><v>#N/A</v></c>')).toContain(
      'q.xlsx: has cells whose formula failed or was never calculated: C2 (#N/A); save',
    )
    expect(await refusal('<c r="C2"><f>A2</f><v></v></c>')).toContain(
      'C2 (never calculated); save the file in a spreadsheet program',
    )
  })
})
