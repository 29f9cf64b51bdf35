/** 47 English function words: the default stop list of BM25 here. */
export const ENGLISH_STOPWORDS: readonly string[] =
  `a an and are as at be but by did do does for from how if in into is it no not of on or such that the their then
  there these they this to was were what when where which who whom whose why will with`.split(/\s+/)
