import { join } from 'node:path'
import { loadDataset } from '../../src/dataset/load.ts'
import { type HeadingSection, sectionsOf } from '../../src/text/headings.ts'

const shared = process.env.TOUCHSTONE_SHARED ?? join(import.meta.dirname, '../../../shared')

/** The rulebook's files by name, as the dataset has them. */
export async function rulebookTexts(folder = join(shared, 'data/srd52/src')): Promise<Map<string, string>> {
  const { documents } = await loadDataset({ name: 'folder', params: { path: folder } }, '.')
  return new Map(documents.map(({ id, text }) => [id, text]))
}

const read = new Map<string, HeadingSection[]>()

/** Sections of a file's text; a text is read once, however many questions name it. */
export function sectionsIn(text: string): HeadingSection[] {
  const sections = read.get(text) ?? sectionsOf(text)
  read.set(text, sections)
  return sections
}
