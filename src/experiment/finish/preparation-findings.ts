import { note, warning } from '../../report/findings/finding.ts'
import type { Finding } from '../../results/summary.ts'
import { mergedInWords } from '../plan/equal-trials.ts'
import type { OpenExperiment } from '../plan/open.ts'
import { unreadLines } from '../plan/unread.ts'

/** Findings on data and preparation. */
export async function preparationFindings(open: OpenExperiment): Promise<Finding[]> {
  return [
    ...(await unreadLines(open)).flatMap((line) => warning('Not read', `${line}.`)),
    ...open.dataset.notices.flatMap((line) => note('Data', `${line}.`)),
    ...mergedInWords(open.experiment, open.trials).flatMap((line) => note('Equal trials', `${line}.`)),
  ]
}
