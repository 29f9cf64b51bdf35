import { normaliseAnswer } from '../../text/answers.ts'
import { UNSPACED_CHARACTERS } from '../../text/scripts.ts'

const UNSPACED = new RegExp(`([${UNSPACED_CHARACTERS}])`, 'gu')

/**
 * The words of an answer as SQuAD and MRQA compare them: normalised, cut at white space; in scripts without spaces each
 * character is a word, as in MLQA (Lewis et al., ACL 2020).
 */
export function answerWords(text: string): string[] {
  return normaliseAnswer(text).replace(UNSPACED, ' $1 ').split(/\s+/).filter(Boolean)
}
