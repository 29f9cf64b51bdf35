import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LIMITS, readFiles } from '../../src/dataset/folder/read-files.ts'
import { walk } from '../../src/dataset/folder/walk.ts'
import { loadDataset } from '../../src/dataset/load.ts'
import type { Dataset } from '../../src/dataset/types.ts'
import { temporaryFolder } from '../temporary.ts'

/** Files that reportlab, pypdf, python-docx, python-pptx and openpyxl wrote: make.py. */
const FILES = join(import.meta.dirname, '../dataset/folder/files')

const load = (path: string, questions?: string): Promise<Dataset> =>
  loadDataset({ name: 'folder', params: { path, ...(questions && { questions }) } }, '.')

describe('files of other programs', () => {
  test('become documents with titles, headings, pages and dates', async () => {
    const { documents, notices } = await load(FILES)
    const byId = new Map(documents.map((document) => [document.id, document]))
    expect(byId.get('harbour.pdf')).toMatchObject({
      title: 'Harbour rules',
      metadata: { date: '2000-01-01' },
    })
    const { text, metadata } = byId.get('harbour.pdf')!
    const [first, second] = metadata.pages as number[]
    expect(text.slice(first, second).trim()).toBe(
      'Harbour rules of Lomm\nEvery ship pays a toll of nine shells.',
    )
    expect(text.slice(second)).toMatch(/^At night the lantern/)
    expect(byId.get('mills.docx')).toMatchObject({
      title: 'Mills of the valley',
      metadata: { author: 'A. Miller' },
    })
    expect(byId.get('mills.docx')?.text).toContain(
      '# Mills\n\nThe upper mill grinds rye for three villages.\n\n## Wages\n',
    )
    expect(byId.get('mills.docx')?.text).toContain('| mill | stones |')
    expect(byId.get('salt.pptx')).toMatchObject({
      title: 'Salt trade',
      metadata: { pages: [0, expect.any(Number)] },
    })
    expect(byId.get('salt.pptx')?.text).toContain(
      '## Prices\n\nSalt costs four shells a bushel.\n\nMention the drought.',
    )
    expect(byId.get('ships.xlsx#Ships/1')).toMatchObject({
      title: 'Amber Thistle',
      text: 'A barge with a flat keel.',
      metadata: { built: '2024-03-01', sheet: 'Ships' },
    })
    expect(byId.get('ships.xlsx#Ports/1')?.text).toBe('port: Lomm\ndepth: 9')
    expect(notices).toEqual([
      '1 file left out, PDF of scanned pages without text: scanned.pdf',
      '1 file left out, encrypted PDF: encrypted.pdf',
    ])
  })
})

describe('nothing is skipped in silence', () => {
  test('a file that takes its parser too long, or is too large, is left out, and the next one is read', async () => {
    const folder = temporaryFolder({
      'a.html': '<p>One.</p>',
      'b.html': '<p>Two.</p>',
      'c.md': 'x'.repeat(2000),
    })
    const files = walk(folder).files
    const limits = { seconds: 0.001, megabytes: 1024, bytes: 1000 }
    const slow = await readFiles(folder, files, { limits })
    expect(slow.map((file) => 'unreadable' in file && file.unreadable)).toEqual([
      'file that takes its parser more than 0.001 s of CPU time',
      'file that takes its parser more than 0.001 s of CPU time',
      expect.stringMatching(/^file of more than/),
    ])
    const whole = await readFiles(folder, files)
    expect(whole.every((file) => 'documents' in file)).toBe(true)
    const { seconds } = LIMITS
    LIMITS.seconds = 0.001
    try {
      await expect(load(folder)).rejects.toThrow(
        /a\.html: is a file that takes its parser more than 0\.001 s of CPU time; to leave it out, name it in \.touchstoneignore\n.*b\.html: /,
      )
    } finally {
      LIMITS.seconds = seconds
    }
  })
})
