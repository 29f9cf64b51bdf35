import { availableParallelism, freemem, totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { UserError } from '../errors.ts'
import { describeCutsOf } from '../experiment/plan/cut-texts.ts'
import { describeGraphs } from '../experiment/plan/describe-graphs.ts'
import { describeWordsOf } from '../experiment/plan/describe-words.ts'
import {
  estimateMemory,
  memoryInWords,
  memoryRefusal,
  memoryWarnings,
  type Room,
} from '../experiment/plan/estimate-memory.ts'
import { requestsAtOnce } from '../experiment/plan/requests-at-once.ts'
import { cutTextLines, lostWordsLines, thinGraphLines } from '../report/data-notes.ts'
import type { OpenConfigDataset } from './open-config.ts'

/**
 * Lines that estimate the needs of a run, with warnings, before it starts; prefixed by the dataset's name if there are several.
 */
export async function printEstimates(opened: readonly OpenConfigDataset[], workers = availableParallelism()) {
  const needs: string[] = []
  const warnings: string[] = []
  const room = roomHere()
  for (const { dataset, open } of opened) {
    const over = opened.length > 1 ? `${dataset}: ` : ''
    const estimate = estimateMemory(open, workers)
    needs.push(over + memoryInWords(estimate))
    const lacks = [
      ...memoryWarnings(estimate, room),
      ...thinGraphLines(await describeGraphs(open)),
      ...lostWordsLines(await describeWordsOf(open)),
      ...cutTextLines(await describeCutsOf(open)),
    ]
    warnings.push(...lacks.map((line) => `warning: ${over}${line}`))
  }
  // All datasets share the config's models.
  needs.push(...opened.slice(0, 1).flatMap(({ open }) => requestsAtOnce(open.experiment)))
  return { needs, warnings }
}

/** Throws a UserError if an experiment cannot fit in memory. */
export function requireMemory(opened: readonly OpenConfigDataset[], workers = availableParallelism()): void {
  const room = roomHere()
  const diagnostics = opened.flatMap(({ dataset, open }) => {
    const refusal = memoryRefusal(estimateMemory(open, workers), room)
    const over = opened.length > 1 ? `${dataset}: ` : ''
    return refusal ? [{ file: open.experiment.file, message: `${over}${refusal}` }] : []
  })
  if (diagnostics.length > 0) throw new UserError(diagnostics)
}

/** Memory limit of the container, if there is one (Node reports 0 or more than the machine's memory without a limit). */
function roomHere(): Room {
  const limit = process.constrainedMemory?.() || Number.POSITIVE_INFINITY
  return {
    total: Math.min(limit, totalmem()),
    free: process.availableMemory?.() ?? freemem(),
    heap: getHeapStatistics().heap_size_limit,
  }
}
