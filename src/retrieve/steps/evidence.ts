import type { Evidence } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'

const gather = defineStep<null, readonly (readonly Evidence[])[], Record<never, never>, readonly Evidence[]>({
  name: 'gather-evidence',
  version: 1,
  run(lists) {
    const found = new Map(lists.flat().map((one) => [`${one.kind} ${one.id} ${one.text}`, one]))
    return [...found.values()]
  },
})

/** The texts of all lists, each once, in the order in which they are met; none where there is no list. */
export function gatherEvidence(
  lists: readonly Expression<readonly Evidence[]>[],
): Expression<readonly Evidence[]> | undefined {
  return lists.length > 1 ? gather(lists, null) : lists[0]
}
