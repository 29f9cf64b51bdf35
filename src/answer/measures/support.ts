import { answerWords, containableAnswers, containsAnswer } from '../../text/answers.ts'
import { ENGLISH, stopTokens, tokenize } from '../../text/tokenize.ts'
import type { AnswerMeasure } from './define.ts'

const STOP = new Set(stopTokens('english', ENGLISH))

/** 1 if a passage holds a reference answer: the upper bound for an answerer that uses its context alone. */
export const inContext: AnswerMeasure = {
  name: 'answer_in_sent',
  summary: '1 if the sent context contains a reference answer',
  source: 'answer recall of the reader: Karpukhin et al., DPR, EMNLP 2020',
  better: 'higher',
  value({ references, answerable, passages }) {
    const wanted = containableAnswers(references)
    if (!answerable || wanted.length === 0) return Number.NaN
    return passages.some((text) => containsAnswer(answerWords(text).join(' '), wanted)) ? 1 : 0
  },
}

/**
 * The share of the answer's words (`tokenize`, without English stop words) that the sent texts contain. A word is not a
 * claim: this finds what was made up, not what is misread. A refusal says nothing that could be grounded and does not count.
 */
export const grounded: AnswerMeasure = {
  name: 'answer_grounded',
  summary: 'share of the words of the answer that the sent texts contain',
  source: 'Knowledge-F1 of Shuster et al., EMNLP 2021, precision only',
  better: 'higher',
  value({ text, refused, passages }) {
    const words = tokenize(text).filter((word) => !STOP.has(word))
    if (refused || words.length === 0) return Number.NaN
    const sent = new Set(passages.flatMap((passage) => tokenize(passage)))
    return words.filter((word) => sent.has(word)).length / words.length
  },
}

/** Share of the cited passages that contain gold; a citation of a passage that does not exist holds none. */
export const citationPrecision: AnswerMeasure = {
  name: 'citation_precision',
  summary: 'share of the cited passages that contain gold',
  source: 'after Gao et al., ALCE, EMNLP 2023, by labels in place of an entailment model',
  better: 'higher',
  value({ gold, cited, wrong }) {
    if (!gold || cited.length + wrong === 0) return Number.NaN
    return cited.filter((number) => gold[number - 1]).length / (cited.length + wrong)
  },
}

/** Share of the passages with gold that the answer cites; a refusal cites none. */
export const citationRecall: AnswerMeasure = {
  name: 'citation_recall',
  summary: 'share of the sent passages with gold that are cited',
  source: 'after Gao et al., ALCE, EMNLP 2023, by labels in place of an entailment model',
  better: 'higher',
  value({ gold, cited }) {
    const there = gold?.flatMap((holds, index) => (holds ? [index + 1] : [])) ?? []
    if (there.length === 0) return Number.NaN
    return there.filter((number) => cited.includes(number)).length / there.length
  },
}

/** Share of the queries without an answer in the corpus that are refused. */
export const refusedRightly: AnswerMeasure = {
  name: 'refused_unanswerable',
  summary: 'share of the unanswerable questions that are refused',
  source: 'Rajpurkar, Jia and Liang, SQuAD 2.0, ACL 2018',
  better: 'higher',
  value: ({ answerable, refused }) => (answerable ? Number.NaN : Number(refused)),
}

/** Share of the answerable queries that are refused. */
export const refusedWrongly: AnswerMeasure = {
  name: 'refused_answerable',
  summary: 'share of the answerable questions that are refused; low is good',
  source: 'Rajpurkar, Jia and Liang, SQuAD 2.0, ACL 2018',
  better: 'lower',
  value: ({ answerable, refused }) => (answerable ? Number(refused) : Number.NaN),
}
