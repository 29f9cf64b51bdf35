import { z } from 'zod'
import { entityKey } from '../../../text/entity-key.ts'
import { sentences } from '../../../text/sentences.ts'
import { findTitles, indexTitles } from '../titles.ts'
import { defineExtractor, type Link, type Mention } from './index.ts'

export default defineExtractor({
  name: 'titles',
  version: 2,
  summary: "passages that mention another passage's title",
  params: z.strictObject({}),
  make: () => ({
    extract({ chunks }) {
      const index = indexTitles(chunks.map(({ title }) => title))
      const keys = chunks.map(({ title }) => entityKey(title))
      const mentions: Mention[] = []
      const links: Link[] = []
      let untitled = 0
      chunks.forEach(({ title, text }, chunk) => {
        const titleKey = keys[chunk]
        if (titleKey === '') untitled++
        else mentions.push({ name: title, chunk, count: 1, type: 'title' })
        for (const { start, end } of sentences(text)) {
          const sentence = text.slice(start, end)
          for (const { key } of findTitles(sentence, index)) {
            const named = new Map((index.rows.get(key) ?? []).map((row) => [keys[row], chunks[row].title]))
            for (const [other, name] of named) {
              mentions.push({ name, chunk, count: 1, type: 'title', text: sentence })
              if (titleKey === '' || other === titleKey) continue
              links.push({
                source: title,
                target: name,
                predicate: 'mentions',
                chunk,
                weight: 1,
                description: sentence,
              })
            }
          }
        }
      })
      return { mentions, links, describe: { separator: ' ', tokens: 100 }, notices: { untitled } }
    },
  }),
})
