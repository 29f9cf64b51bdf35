/** A text as it may stand between passage marks of a prompt: it cannot close its passage, nor open another. */
export function withoutMarks(text: string): string {
  return text.replace(/<(?=\/?\s*passage\b)/gi, '‹')
}

/** The same for a prompt that marks a document too. */
export function withoutDocumentMarks(text: string): string {
  return withoutMarks(text).replace(/<(?=\/?\s*document\b)/gi, '‹')
}

/** The same for what stands in a prompt as said by the one who asks. */
export function withoutUserMarks(text: string): string {
  return withoutMarks(text).replace(/<(?=\/?\s*user-context\b)/gi, '‹')
}
