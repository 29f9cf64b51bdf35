import { expect, test } from 'vitest'
import { references } from '../../src/questions/kinds/references.ts'

test('a sentence asks about the passage that it names, whichever of the two documents comes first', async () => {
  const document = (id: string, named: string, asked: string) => ({
    id,
    title: `${named} Rules`,
    text: `# ${named} Rules\n\nWhoever comes late pays two silver pieces to the clerk of the ${id} on the same day.\n\n## Hours\n\nThe clerk says that the ${asked} Rules hold on holidays too, and rings the bell at noon.\n`,
  })
  const documents = [document('mole', 'Mooring', 'Quay'), document('quay', 'Quay', 'Mooring')]
  const drafts = await references(documents as never)
  expect(drafts.map(({ gold, answer }) => [answer, gold.map(({ documentId }) => documentId)])).toEqual([
    ['Quay Rules', ['mole', 'quay']],
    ['Mooring Rules', ['quay', 'mole']],
  ])
})
