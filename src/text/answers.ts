/**
 * SQuAD's and MRQA's normalisation of answers: lower case, without punctuation and the articles a, an, the, runs of
 * white space as one space. (Rajpurkar et al., EMNLP 2016; punctuation here is Unicode's.)
 */
export function normaliseAnswer(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\p{P}\p{S}]/gu, '')
    .replace(/\b(?:a|an|the)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The answers that a text could contain, normalised: yes and no are none, nor is what normalises to nothing. */
export function containableAnswers(answers: readonly string[]): string[] {
  const found = answers
    .map(normaliseAnswer)
    .filter((answer) => !['', 'yes', 'no', 'noanswer'].includes(answer))
  return [...new Set(found)]
}

/** Whether a normalised text contains one of the normalised answers as whole words. */
export function containsAnswer(text: string, answers: readonly string[]): boolean {
  const padded = ` ${text} `
  return answers.some((answer) => padded.includes(` ${answer} `))
}
