// Writes the PDF and Office files of this folder, each as a writer of such files would, and no more than its case needs.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zipSync } from 'fflate'

const here = dirname(fileURLToPath(import.meta.url))
function write(path, bytes) {
  mkdirSync(dirname(join(here, path)), { recursive: true })
  writeFileSync(join(here, path), bytes)
}
const latin1 = (text) => Buffer.from(text, 'latin1')
const zip = (path, files) =>
  write(
    path,
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])), {
      mtime: '2024-03-01T00:00:00',
    }),
  )

/** PDF of pages, each the operators of its text; `fonts` and `notes` are objects of every page. */
function pdf(path, pages, { fonts = [], notes = [], form = '' } = {}) {
  const objects = ['<</Type/Catalog/Pages 2 0 R' + form + '>>', '']
  const add = (object) => objects.push(object)
  const all = ['<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>', ...fonts]
  const names = all.map((font, at) => `/F${at + 1} ${add(font)} 0 R`).join(' ')
  const annots = notes.map((note) => `${add(note)} 0 R`).join(' ')
  const kids = pages.map((drawn) => {
    const content = add(`<</Length ${drawn.length}>>stream\n${drawn}\nendstream`)
    return `${add(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${content} 0 R/Resources<</Font<<${names}>>>>/Annots[${annots}]>>`)} 0 R`
  })
  objects[1] = `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${kids.length}>>`
  const body = objects.map((object, at) => `${at + 1} 0 obj${object}endobj\n`).join('')
  write(path, latin1(`%PDF-1.4\n${body}trailer<</Root 1 0 R>>`))
}
const shown = (x, y, text, font = 1) => `BT /F${font} 12 Tf 1 0 0 1 ${x} ${y} Tm ${text} Tj ET`
const lines = (...texts) => texts.map((text, at) => shown(60, 700 - 14 * at, `(${text})`)).join('\n')

pdf('pdf-pages-without-text/archive.pdf', [
  lines('The weir was raised in the spring of 1840.', 'It holds the water of two streams.'),
  '0 0 600 800 re f',
  '0 0 600 800 re f\n' + lines('3'),
])
pdf('pdf-columns/columns.pdf', [
  [
    ['The weir was raised in spring,', 'Salt was sold in the harbour'],
    ['after the old one had broken', 'until the road over the moor'],
    ['in the flood of the year 1839.', 'was closed by the snow.'],
  ]
    .flatMap(([left, right], at) => [shown(60, 700 - 14 * at, `(${left})`), shown(330, 700 - 14 * at, `(${right})`)])
    .join('\n'),
])
pdf('pdf-columns/spaced.pdf', [lines('S P H A G N U M', 'It grows on the moor above the weir.')])

const field = (name, more) =>
  `<</Type/Annot/Subtype/Widget/T(${name})/Rect[170 600 370 620]${more}>>`
const notes = [
  field('miller', '/FT/Tx/V(Ada Tarn)'),
  field('wheels', '/FT/Tx/V(nine)/TU(Number of wheels)'),
  field('licensed', '/FT/Btn/V/Yes/AS/Yes/AP<</N<</Yes 3 0 R/Off 3 0 R>>>>'),
  field('closed', '/FT/Btn/V/Off/AS/Off/AP<</N<</Yes 3 0 R/Off 3 0 R>>>>'),
  field('grain', '/FT/Ch/Ff 2097152/Opt[(rye)(oats)(wheat)]/V[(rye)(oats)]'),
  field('note', '/FT/Tx'),
  '<</Type/Annot/Subtype/FreeText/Contents(Granted in May)/DA(/F1 12 Tf)/Rect[60 500 200 520]>>',
  '<</Type/Annot/Subtype/Text/Contents(Ask the keeper again)/Rect[10 10 20 20]>>',
]
const form = `/AcroForm<</Fields[${notes.slice(0, 6).map((_, at) => `${4 + at} 0 R`).join(' ')}]>>`
pdf('pdf-form/permit.pdf', [lines('Permit to grind grain at the weir of Brae')], { notes, form })

const composite = (ordering, encoding) =>
  `<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/${encoding}/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Any/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 0>>/DW 1000/FontDescriptor<</Type/FontDescriptor/FontName/Any/Flags 6/FontBBox[0 0 1000 1000]/Ascent 800/Descent -200/CapHeight 700/ItalicAngle 0/StemV 80>>>>]>>`
// Each ordering with a map, and the bytes of a text in its encoding.
const CJK = [
  ['GB1', 'UniGB-UCS2-H', '78e8574a5efa4e8e'], // 磨坊建于
  ['GB1', 'GBK-EUC-H', 'c4a5b7bbbda8d3da2031383430'], // 磨坊建于 1840
  ['Japan1', '90ms-RKSJ-H', '90858ed492ac82cc90df'], // 水車町の節
  ['Japan1', 'UniJIS-UTF16-H', '6c348eca306f56de308b'], // 水車は回る
  ['Korea1', 'KSCms-UHC-H', 'b9b0b7b9b9e6bed1b0a3'], // 물레방앗간
  ['CNS1', 'ETenms-B5-V', 'bf69a77b'], // 磨坊
]
pdf(
  'pdf-character-maps/report.pdf',
  [CJK.map(([, , bytes], at) => shown(60, 700 - 20 * at, `<${bytes}>`, at + 2)).join('\n')],
  { fonts: CJK.map(([ordering, encoding]) => composite(ordering, encoding)) },
)
pdf('pdf-character-maps/numbers.pdf', [`${lines('The report of the mill in Brae')}\n${shown(60, 600, '<0fa010680022>', 2)}`], {
  fonts: [composite('GB1', 'Identity-H')],
})
pdf('pdf-character-maps/none.pdf', [shown(60, 600, `<${'0fa0'.repeat(20)}>`, 2)], { fonts: [composite('GB1', 'Identity-H')] })

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
const run = (text, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const p = (...runs) => `<w:p>${runs.join('')}</w:p>`
function docx(path, body, more = {}) {
  zip(path, {
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<?xml version="1.0"?><w:document ${W} ${M}><w:body>${body.join('')}</w:body></w:document>`,
    ...more,
  })
}
docx('signs/settings.docx', [p(run('Set min_free_space to [2, 3] or 4*5_6.')), p(run('7. A paragraph with a number.'))])
const raised = '<w:vertAlign w:val="superscript"/>'
docx('raised/speed.docx', [
  p(run('It turns 10'), run('7', raised), run(' times, on the 3'), run('rd', raised), run(' of May, in H'), run('2', '<w:vertAlign w:val="subscript"/>'), run('O.')),
])
const cell = (text, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(run(text))}</w:tc>`
const row = (...cells) => `<w:tr>${cells.join('')}</w:tr>`
docx('spans/mills.docx', [
  `<w:tbl>${row(cell('Valley'), cell('Mill'), cell('Stones', '<w:gridSpan w:val="2"/>'))}${row(cell('Upper', '<w:vMerge w:val="restart"/>'), cell('Brae'), cell('3'), cell('4'))}${row(cell('', '<w:vMerge/>'), cell('Velk'), cell('5'), cell('6'))}</w:tbl>`,
])
const m = (text) => `<m:r><m:t>${text}</m:t></m:r>`
const math = (inner) => `<m:oMath>${inner}</m:oMath>`
const power = (base, up) => `<m:sSup><m:sSupPr><m:ctrlPr/></m:sSupPr><m:e>${m(base)}</m:e><m:sup>${m(up)}</m:sup></m:sSup>`
docx('formulas/energy.docx', [
  p(run('The energy is '), math(m('E=m') + power('c', '2')), run(', the mean '), math(`<m:f><m:num>${m('a+b')}</m:num><m:den>${m('2')}</m:den></m:f>`), run('.')),
  p(`<m:oMathPara>${math(`<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${m('i=1')}</m:sub><m:sup>${m('n')}</m:sup><m:e><m:sSub><m:e>${m('x')}</m:e><m:sub>${m('i')}</m:sub></m:sSub></m:e></m:nary>${m('&lt;')}<m:rad><m:deg/><m:e>${m('y')}</m:e></m:rad><m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${m('0')}</m:e><m:e>${m('1')}</m:e></m:d>`)}</m:oMathPara>`),
])
docx(
  'left-out/note.docx',
  [
    p(run('The price is ten.'), run(' Draft: it was four.', '<w:b/><w:vanish/><w:sz w:val="20"/>'), run(' It holds.', '<w:vanish w:val="0"/>')),
    `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run('All of May.')}</w:p>`,
  ],
  {
    'word/comments.xml': `<w:comments ${W}><w:comment w:id="1">${p(run('Is it?'))}</w:comment></w:comments>`,
    'word/charts/chart1.xml': '<c:chartSpace/>',
    'word/header1.xml': `<w:hdr ${W}>${p(run('Weir of Brae'))}</w:hdr>`,
    'word/footer1.xml': `<w:ftr ${W}>${p('')}</w:ftr>`,
  },
)
zip('formulas/energy.pptx', {
  'ppt/slides/slide1.xml': `<p:sld><p:sp><a:p><a:r><a:rPr/><a:t>Turns: 10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>7</a:t></a:r><mc:AlternateContent><mc:Choice><a14:m>${math(power('v', '2'))}</a14:m></mc:Choice><mc:Fallback><a:r><a:t>picture</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p></p:sp></p:sld>`,
})

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const texts = (...all) => all.map((text, at) => `<c r="${'ABCDEF'[at]}1" t="inlineStr"><is><t>${text}</t></is></c>`).join('')
const numbers = (y, ...all) => all.map(([style, value], at) => `<c r="${'ABCDEF'[at]}${y}" s="${style}"><v>${value}</v></c>`).join('')
const codes = ['[h]:mm', 'yyyy-mm-dd hh:mm', '[$-409]h:mm AM/PM;@', '#,##0&quot; hours&quot;']
zip('times/ferries.xlsx', {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"/>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet ${MAIN}><numFmts>${codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('')}</numFmts><cellXfs>${[0, 20, 164, 165, 166, 167].map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
  'xl/comments1.xml': `<comments ${MAIN}><commentList><comment ref="A2"><text><t>late</t></text></comment></commentList></comments>`,
  'xl/worksheets/sheet1.xml': `<worksheet ${MAIN}><sheetData><row r="1">${texts('Leaves', 'Takes', 'Day', 'Back', 'Work')}<c r="F1" t="inlineStr"><is><t>Turns</t></is></c></row><row r="2">${numbers(2, [1, 0.5625], [2, 1.25], [3, 45365.25], [4, 0], [5, 12], [0, 7])}</row><row r="3">${numbers(3, [1, 0.99999999], [2, 0.031263], [3, 45366], [4, 0.75], [5, 7])}</row></sheetData></worksheet>`,
})
