import { z } from 'zod'
import { promptParams, promptText } from '../../../models/prompts/prompt.ts'
import { sha256 } from '../../../store/hash.ts'
import { withoutMarks } from '../../../text/passage-marks.ts'
import { cutTokens } from '../../../text/tokens.ts'
import { CLUSTER_TOKENS, clusterParams, defineSummarizer } from './index.ts'

/** RAPTOR's summaries. */
export default defineSummarizer({
  name: 'llm',
  version: 1,
  summary: "a summary of each cluster's texts, by a language model (RAPTOR)",
  params: z.strictObject({
    ...promptParams(['passages', 'words']),
    ...clusterParams,
    words: z
      .int()
      .min(10)
      .max(2000)
      .default(80)
      .describe('maximum length of a summary, as written in the prompt'),
  }),
  files: ({ prompt }) => ({ prompt: sha256(templateOf(prompt)) }),
  make: ({ words, prompt }) => ({
    summarize({ clusters }, askEach) {
      const template = templateOf(prompt)
      return askEach(clusters, async (chat, texts) => {
        // Two or three texts are not clustered further, however long: each gets an equal share.
        const share = texts.length < 4 ? Math.floor(CLUSTER_TOKENS / texts.length) : CLUSTER_TOKENS
        const passages = texts
          .map((text) => `<passage>\n${withoutMarks(cutTokens(text, share))}\n</passage>`)
          .join('\n')
        const values = { passages, words: String(words) }
        return (await chat.text({ template, values })).replace(/\s+/g, ' ')
      })
    },
  }),
})

function templateOf(prompt: string | undefined): string {
  return promptText(prompt, 'summarize-cluster', ['passages'])
}
