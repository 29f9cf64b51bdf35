import type { Draft } from './draft.ts'

/** Lines of a questions file that `dataset: {folder, questions}` reads; every question says that it is synthetic. */
export function questionLines(drafts: readonly Draft[], texts: ReadonlyMap<string, string>): string {
  const digits = String(drafts.length).length
  return drafts
    .map(({ kind, text, gold, answer }, index) => {
      const metadata = {
        category: kind,
        synthetic: `touchstone questions draft: ${kind}`,
        ...(answer !== undefined && { answers: [answer] }),
        ...(gold.length === 0 && { answerable: false }),
      }
      return `${JSON.stringify({
        _id: `draft-${String(index + 1).padStart(digits, '0')}`,
        text,
        metadata,
        gold: gold.map(({ documentId, start, end }) => ({
          file: documentId,
          quote: (texts.get(documentId) ?? '').slice(start, end),
        })),
      })}\n`
    })
    .join('')
}
