/** Citations of passages in an answer: `[2]` and `[1, 3]`, also as `[Passage 2]`, `[^2]` and `【2†source】`. The group holds the numbers. */
export const CITATION =
  /(?<!\s)\s*[[【](?:\^|(?:passages?|sources?|documents?)\s*)?(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)(?:†[^\]】\n]{0,100})?[\]】]/gi
