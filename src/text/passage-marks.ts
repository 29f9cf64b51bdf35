/** A text as it may stand between marks of a prompt: it can neither close them nor open others. */
export function withoutMarks(text: string): string {
  return text.replace(/<(?=\/?\s*(?:passage|document|groups|user-context)\b)/gi, '‹')
}
