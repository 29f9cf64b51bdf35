import { z } from 'zod'
import { factsTable } from '../../corpus/graph/artifacts.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineAsking } from './asking.ts'

type Params = { readonly model: string; readonly template: string; readonly repeat: number }

const schema = z.strictObject({ facts: z.array(z.number()) })

/**
 * HippoRAG 2's recognition memory: of the facts that a query is linked to, those that a model finds helpful, with their scores,
 * in the model's order. Facts are named by number, where the original has them written out and looks for the nearest. None
 * kept links nothing.
 * Gutiérrez et al., From RAG to Memory (ICML 2025), section 3.4.
 */
export const filterFacts = defineAsking({
  name: 'filter-facts',
  version: 1,
  artifacts: (recipe, _params: Params) => ({ table: factsTable(recipe) }),
  notes: ({ kept }: FilteredFacts) => ({ 'facts kept': kept.join('; ') }),
  async ask(chat, [{ text }, { rows, scores }]: readonly [Query, Ranking], { params, artifacts: { table } }) {
    const { template, repeat } = params
    if (rows.length === 0) return { rows, scores, kept: [] }
    // A fact is one line, whatever was extracted.
    const texts = Array.from(rows, (row) => withoutMarks(table.texts[row].replace(/\s+/g, ' ')))
    const facts = texts.map((fact, index) => `${index + 1}. ${fact}`).join('\n')
    const values = { query: withoutMarks(text), facts, count: String(rows.length) }
    const said = await chat.json({ template, values, repeat }, schema)
    const chosen = [...new Set(said.facts)].filter((number) => Number.isInteger(number) && texts[number - 1])
    return {
      rows: Uint32Array.from(chosen, (number) => rows[number - 1]),
      scores: Float64Array.from(chosen, (number) => scores[number - 1]),
      kept: chosen.map((number) => texts[number - 1]),
    }
  },
})

interface FilteredFacts extends Ranking {
  readonly kept: readonly string[]
}
