import { readdirSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { readText } from '../../store/input.ts'
import { headingsOf } from '../../text/headings.ts'
import { defineDatasetFormat } from '../format.ts'
import { readMarkdownQuestions } from '../markdown-questions.ts'
import { policyShape } from '../policies.ts'

const TEXTS = /\.(md|txt)$/

/**
 * A folder of Markdown files, searched to the bottom: each file is a document, its id the path below the folder, its
 * title the first heading, or the file's name where it has none. A plain text is read as Markdown too. Without a file of
 * questions such a corpus can be prepared and asked, not run.
 */
export const markdown = defineDatasetFormat({
  name: 'markdown',
  summary: 'a folder of .md and .txt files, with questions in a file of their own or without',
  drops: 'empty files, counted',
  params: z.strictObject({
    path: z.string().describe('the folder'),
    questions: z
      .string()
      .optional()
      .meta({ path: true })
      .describe('a JSONL file of questions; gold is named by file, headings and quote'),
    missingGold: policyShape.missingGold,
    ownDocument: policyShape.ownDocument,
  }),
  sniff: ({ path }) => {
    const files = textFilesBelow(path)
    return files.length > 0 ? { files, weak: true } : undefined
  },
  async load({ path, questions }, sink) {
    const files = textFilesBelow(path)
    if (files.length === 0) sink.diagnostic({ file: path, message: 'holds no .md or .txt file' })
    const texts = new Map<string, string>()
    let empty = 0
    for (const file of files) {
      let text: string
      try {
        text = readText(join(path, file))
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        for (const { message } of error.diagnostics) sink.diagnostic({ file, message })
        continue
      }
      // A file without content is common in such folders and no harm.
      if (text.trim() === '') empty++
      else {
        const title = headingsOf(text)[0]?.name || basename(file, extname(file))
        sink.document({ id: file, title, text, metadata: {} }, { file })
        texts.set(file, text)
      }
    }
    if (empty > 0) sink.notice(`${empty} empty files are left out`)
    if (questions === undefined) return
    sink.judged('span')
    await readMarkdownQuestions(questions, texts, sink)
  },
})

/** Paths below a folder, in order; none where it is no folder. */
export function textFilesBelow(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(path, '/').length).replaceAll('\\', '/'))
    .sort()
}
