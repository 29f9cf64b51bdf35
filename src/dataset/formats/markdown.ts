import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { readText } from '../../store/input.ts'
import { headingsOf } from '../../text/headings.ts'
import { defineDatasetFormat } from '../format.ts'

/**
 * A folder of Markdown files, searched to the bottom: each file is a document, its id the path below the folder, its
 * title the first heading, or the file's name where it has none. No queries: such a corpus can be prepared and asked,
 * not run.
 */
export const markdown = defineDatasetFormat({
  name: 'markdown',
  summary: 'a folder of .md files, without queries',
  params: z.strictObject({ path: z.string().describe('the folder') }),
  detect: (path) => filesBelow(path).length > 0,
  async load({ path }, intake) {
    const files = filesBelow(path)
    if (files.length === 0) intake.mistake({ file: path, message: 'holds no .md file' })
    let empty = 0
    for (const file of files) {
      let text: string
      try {
        text = readText(join(path, file))
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        for (const { message } of error.mistakes) intake.mistake({ file, message })
        continue
      }
      // A file without content is common in such folders and no harm.
      if (text.trim() === '') empty++
      else {
        const title = headingsOf(text)[0]?.name || basename(file, '.md')
        intake.document({ id: file, title, text, metadata: {} }, { file })
      }
    }
    if (empty > 0) intake.notice(`${empty} empty files are left out`)
  },
})

function filesBelow(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(path, '/').length).replaceAll('\\', '/'))
    .sort()
}
