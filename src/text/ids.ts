/** What is wrong with an id of a document or a query in somebody's file; undefined where it will do. */
export function idMistake(id: string): string | undefined {
  if (id === '') return 'is empty'
  return /\p{Cc}/u.test(id) ? `holds a control character: ${JSON.stringify(id)}` : undefined
}
