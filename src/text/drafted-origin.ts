export function originOfDrafted(synthetic: number, reviewed: number): string {
  if (reviewed === 0) return 'drafted from the corpus, asked by nobody'
  return `drafted from the corpus, ${reviewed === synthetic ? 'reviewed by people' : `${reviewed} of them reviewed by people`}`
}
