import { basename } from 'node:path'
import { formProblem, rankingProblem } from '../../ranking/check.ts'
import type { MemoCell } from '../../retrieve/evaluate.ts'
import type { Failure } from '../../retrieve/run-step.ts'
import type { CompiledTrial } from '../plan/compile.ts'

/** Reason why a trial failed for a query: a step failed, or the output is no ranking or no evidence. */
export function failureOf(
  trial: CompiledTrial,
  cell: MemoCell | undefined,
  beside: MemoCell | undefined,
  chunks: number,
): Failure | null {
  return rankingFailure(trial, cell, chunks) ?? evidenceFailure(trial, beside)
}

/** Custom rankings are checked completely, built-in ones by their form. */
export function rankingFailure(
  { strategy, sha256, ranking }: CompiledTrial,
  cell: MemoCell | undefined,
  chunks: number,
): Failure | null {
  if (cell?.failure) return cell.failure
  const problem = sha256 === undefined ? formProblem(cell?.value) : rankingProblem(cell?.value, chunks)
  const message = `the strategy ${basename(strategy)} gave no ranking: ${problem}`
  return problem ? { step: ranking.step.name, message } : null
}

function evidenceFailure({ strategy, evidence }: CompiledTrial, cell: MemoCell | undefined): Failure | null {
  if (!evidence || cell?.failure) return cell?.failure ?? null
  const { value } = cell ?? {}
  if (Array.isArray(value) && value.every((item) => Number.isSafeInteger(item?.tokens))) return null
  const message = `the strategy ${basename(strategy)} gave no evidence: a list of {kind, id, text, tokens}`
  return { step: evidence.step.name, message }
}
