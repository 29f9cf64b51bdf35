import { z } from 'zod'
import { hashFile } from '../../store/input.ts'
import { readYaml } from '../../store/yaml-input.ts'

/** A question and the terms that one would search for, shown to a model before it is asked for others. */
const example = z.strictObject({
  question: z.string().min(1).max(1000),
  terms: z.array(z.string().min(1).max(200)).min(1).max(50),
})

const examplesSchema = z.array(example).min(1).max(100)

export type ExpansionExample = z.output<typeof example>

/** Of no corpus in particular: a name that is only described, a procedure, a comparison. */
const OWN: readonly ExpansionExample[] = [
  {
    question: 'Who wrote the novel about the whale that Gregory Peck hunts in the film?',
    terms: ['Moby-Dick', 'Herman Melville', 'Gregory Peck', 'Moby Dick (1956 film)', 'Captain Ahab'],
  },
  {
    question: 'How do I make a function run again when the network fails?',
    terms: ['retry', 'exponential backoff', 'timeout', 'error handling', 'network error'],
  },
  {
    question: 'Is the train or the bus faster from the airport to the old town?',
    terms: ['airport train', 'airport bus', 'travel time', 'old town station', 'timetable'],
  },
]

const WHAT = 'examples of expanded questions'

/** The examples in a YAML or JSON file, a list of {question, terms}; those that come with Touchstone where it is left out. */
export function readExamples(path: string | undefined): readonly ExpansionExample[] {
  return path === undefined ? OWN : readYaml(path, examplesSchema, WHAT).value
}

/** SHA-256 of an examples file, by param. */
export function hashExamples(path: string | undefined): Readonly<Record<string, string>> {
  return path === undefined ? {} : { examples: hashFile(path, WHAT) }
}
