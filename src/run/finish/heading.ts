import type { Chunk } from '../../types.ts'

/** What a reader sees above a chunk: the path of headings down to it (`Sea > Harbour > Crew`), else its title; may be ''. */
export function headingOf({ section, title }: Pick<Chunk, 'section' | 'title'>): string {
  return section.length > 0 ? section.join(' > ') : title
}
