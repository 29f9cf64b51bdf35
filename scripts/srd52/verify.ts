import { overlapOf } from './overlap.ts'
import { CATEGORIES, readQuestions, readVerdicts } from './questions.ts'
import { rulebookTexts } from './texts.ts'
import { problemsOf } from './verify-questions.ts'

/**
 * Checks datasets/srd52-queries against the rulebook's text and says how many of each question's words stand in its gold.
 * `TOUCHSTONE_SHARED` names the folder that holds data/srd52, if it is not ../shared. Exits 2 on the first run of
 * problems. `--all` prints every question's overlap.
 */
const texts = await rulebookTexts()
const questions = readQuestions()
const problems = problemsOf(questions, readVerdicts(), texts)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(2)

const percent = (share: number | null) => (share === null ? '' : String(Math.round(100 * share)))
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const rows = questions.map((question) => ({ question, overlap: overlapOf(question, texts) }))
if (process.argv.includes('--all'))
  for (const { question, overlap } of rows)
    console.log(
      [
        question._id,
        percent(overlap.sections),
        percent(overlap.quotes),
        percent(overlap.trap),
        overlap.run,
        question.text,
      ].join('\t'),
    )
console.log(
  '| category | questions | terms in gold sections | in quotes | in the trap | longest run of words |',
)
console.log('|---|---|---|---|---|---|')
for (const category of Object.keys(CATEGORIES)) {
  const own = rows.filter(({ question }) => question.metadata.category === category)
  const of = (pick: (row: (typeof own)[number]) => number) => percent(mean(own.map(pick)))
  const trap = own.every(({ overlap }) => overlap.trap !== null) ? of(({ overlap }) => overlap.trap ?? 0) : ''
  const runs = mean(own.map(({ overlap }) => overlap.run)).toFixed(1)
  console.log(
    `| ${category} | ${own.length} | ${of(({ overlap }) => overlap.sections)} | ${of(({ overlap }) => overlap.quotes)} | ${trap} | ${runs} |`,
  )
}
