// A language model that searches in a loop, with grep, bm25 and hybrid as its tools.
//     trials: [bm25, hybrid, ./agent.mjs: {model: small}]
const TOOLS = ['grep', 'bm25', 'hybrid']

const TEMPLATE = `Write the next search for passages that answer the question. Searches look like these:
grep: Jane Austen
bm25: Emma novel 1815 publisher
hybrid: town where the author of Emma was born
grep finds exact names and numbers, bm25 key words, hybrid whole phrases. Never repeat a search: look for names in the
passages that were found.

{{query}}`

/** A line of the model: a search, or the reason why there is none. */
export function readAction(line, calls) {
  if (/^\W*done\b/i.test(line)) return { stop: 'done' }
  const [, name, words] = /.*\b(grep|bm25|hybrid)\s*:\s*(.+)/i.exec(line) ?? []
  if (words === undefined) return { stop: 'unreadable' }
  const [tool, input] = [name.toLowerCase(), words.trim().slice(0, 300)]
  // The model is in a loop: it would get the same passages again.
  if (calls.some((call) => call.tool === tool && call.input === input)) return { stop: 'repeated' }
  return { tool, input }
}

/** Ranking of all chunks that were read, in the order of their first reading. */
function rankingOf(calls) {
  const rows = Uint32Array.from(new Set(calls.flatMap((call) => call.rows)))
  return { rows, scores: Float64Array.from(rows, (_, rank) => rows.length - rank), calls }
}

export default ({ defineStrategy, indexes, steps, z }) => {
  const begin = steps.defineStep({
    name: 'agent-begin',
    version: 1,
    yields: 'ranking',
    run: () => rankingOf([]),
  })
  // The question, and each call so far with the beginning of what it found.
  const report = steps.defineStep({
    name: 'agent-report',
    version: 1,
    yields: 'query',
    artifacts: (recipe) => ({ chunks: indexes.chunks(recipe) }),
    run([question, { calls }], { params, artifacts: { chunks } }) {
      const seen = new Set()
      const passage = (row) => {
        const { title, text } = chunks[row]
        const again = seen.has(row)
        seen.add(row)
        return `- ${title}${again ? '' : `: ${text.slice(0, params.letters)}`}`
      }
      const lines = calls.flatMap(({ tool, input, rows }) => [`${tool}: ${input}`, ...rows.map(passage)])
      // A small model that may end at once does.
      const next =
        calls.length === 0 ? 'Next search:' : 'Next search, or DONE if these passages answer the question:'
      return { ...question, text: [`Question: ${question.text}`, ...lines, next].join('\n') }
    },
  })
  const decide = steps.defineStep({
    name: 'agent-decide',
    version: 1,
    facts: ({ stop }) => ({
      counts: { loops: Number(stop === 'repeated'), unreadable: Number(stop === 'unreadable') },
    }),
    run: ([line, { calls }]) => readAction(line, calls),
  })
  const words = steps.defineStep({
    name: 'agent-words',
    version: 1,
    yields: 'query',
    run: ([question, { input = '' }]) => ({ ...question, text: input }),
  })
  const choose = steps.defineStep({
    name: 'agent-choose',
    version: 1,
    yields: 'ranking',
    pick: ({ tool }) => TOOLS.indexOf(tool),
  })
  const read = steps.defineStep({
    name: 'agent-read',
    version: 1,
    yields: 'ranking',
    run: ([{ calls }, { tool, input }, found], { params: { passages } }) =>
      rankingOf([...calls, { tool, input, rows: [...found.rows.slice(0, passages)] }]),
  })
  const stopOr = steps.defineStep({
    name: 'agent-stop',
    version: 1,
    yields: 'ranking',
    pick: ({ stop }) => (stop === undefined ? 1 : 0),
  })
  return defineStrategy({
    name: 'agent',
    summary: 'a language model that searches with grep, bm25 and hybrid until it is done',
    source: 'this file',
    params: z.strictObject({
      model: z.string().min(1).meta({ model: true }).describe('a name in `models`'),
      calls: z.int().min(1).max(20).default(4).describe('most calls for a question'),
      passages: z.int().min(1).default(3).describe('passages that a call returns'),
      letters: z.int().min(0).default(80).describe('letters of each passage that the model sees'),
    }),
    make: ({ model, calls, passages, letters }) => ({
      retrieve(question) {
        const depth = passages
        const index = { k1: 0.9, b: 0.4, idf: 'lucene' }
        const searchFrom = (sofar, left) => {
          if (left === 0) return sofar
          const asked = steps.askModel([report([question, sofar], { letters })], {
            model,
            template: TEMPLATE,
            seed: 0,
          })
          const action = decide([asked, sofar], null)
          const query = words([question, action], null)
          const found = choose(
            [
              action,
              steps.searchGrep(query, { depth }),
              steps.searchBm25([query], { depth, index }),
              steps.searchHybrid(query, { depth, index }),
            ],
            null,
          )
          return stopOr(
            [action, sofar, searchFrom(read([sofar, action, found], { passages }), left - 1)],
            null,
          )
        }
        return { ranking: searchFrom(begin([question], null), calls) }
      },
    }),
  })
}
