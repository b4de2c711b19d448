/** What words say about a turn: whether they are a backchannel, and whether more is to come. Pure. Source: docs/reference/turn-taking.md#words. */

/** Words of a text in lower case, without signs. Marks belong to the letters that they stand on. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu) ?? []

export const hasWords = (text: string): boolean => wordsOf(text).length > 0

/** The language of a tag such as `hi-IN`, in lower case. */
const languageOf = (tag: string): string => (tag.split(/[-_]/)[0] ?? "").toLowerCase()

/** Words and phrases that confirm, by language. */
const confirmations: Readonly<Record<string, ReadonlyArray<string>>> = {
  en: [
    ...["uh huh", "uh-huh", "mhm", "mm-hmm", "mm hmm", "mm", "hm", "hmm", "huh", "yeah", "yep", "yup", "yes", "ok"],
    ...["okay", "right", "sure", "i see", "got it", "alright", "all right", "true", "aha", "ah", "oh", "uh", "cool"],
    ...["good", "great", "fine", "exactly", "of course", "really", "i know", "understood"]
  ],
  hi: [
    "हाँ",
    "हां",
    "हूँ",
    "जी",
    "जी हाँ",
    "जी हां",
    "अच्छा",
    "ठीक",
    "ठीक है",
    "सही",
    "haan",
    "han",
    "ji",
    "accha",
    "theek hai",
    "ok",
    "okay"
  ],
  es: ["sí", "si", "ajá", "vale", "claro", "ya", "bueno", "bien", "okay", "ok", "entiendo", "de acuerdo", "mhm"],
  fr: ["oui", "ouais", "d'accord", "ok", "okay", "hum", "bien", "bien sûr", "je vois", "voilà", "ah", "mhm"],
  de: [
    "ja",
    "jaja",
    "genau",
    "okay",
    "ok",
    "gut",
    "klar",
    "aha",
    "hm",
    "mhm",
    "richtig",
    "verstehe",
    "stimmt",
    "alles klar"
  ],
  pt: ["sim", "tá", "certo", "claro", "ok", "okay", "entendi", "aham", "uhum", "bom", "mhm"],
  it: ["sì", "si", "certo", "va bene", "ok", "okay", "capisco", "esatto", "mhm", "ah"]
}

/** Words after which a sentence goes on, by language. */
const continuing: Readonly<Record<string, ReadonlyArray<string>>> = {
  en: [
    ...["and", "or", "but", "because", "so", "if", "when", "while", "that", "which", "who", "whose", "with", "without"],
    ...[
      "for",
      "from",
      "to",
      "of",
      "in",
      "on",
      "at",
      "by",
      "about",
      "than",
      "as",
      "like",
      "the",
      "a",
      "an",
      "my",
      "your"
    ],
    ...["his", "her", "our", "their", "its", "is", "are", "was", "were", "am", "i", "i'm", "um", "uh", "er", "erm"],
    ...["well", "also", "then", "until", "unless", "although", "though", "since", "before", "after", "not", "very"],
    ...["would", "could", "should", "will", "can", "may", "might", "do", "does", "did", "has", "have", "had", "this"]
  ],
  hi: [
    "और",
    "या",
    "लेकिन",
    "क्योंकि",
    "कि",
    "तो",
    "मेरा",
    "मेरी",
    "मेरे",
    "का",
    "की",
    "के",
    "अगर",
    "जब",
    "aur",
    "lekin",
    "ki",
    "to"
  ],
  es: [
    "y",
    "o",
    "pero",
    "porque",
    "que",
    "si",
    "cuando",
    "con",
    "de",
    "a",
    "en",
    "mi",
    "el",
    "la",
    "un",
    "una",
    "eh",
    "este"
  ],
  fr: [
    "et",
    "ou",
    "mais",
    "parce",
    "que",
    "si",
    "quand",
    "avec",
    "de",
    "à",
    "dans",
    "mon",
    "ma",
    "le",
    "la",
    "un",
    "une",
    "euh"
  ],
  de: [
    "und",
    "oder",
    "aber",
    "weil",
    "dass",
    "wenn",
    "mit",
    "von",
    "zu",
    "in",
    "mein",
    "meine",
    "der",
    "die",
    "das",
    "ein",
    "eine",
    "äh",
    "ähm"
  ],
  pt: ["e", "ou", "mas", "porque", "que", "se", "quando", "com", "de", "a", "em", "meu", "minha", "o", "um", "uma"],
  it: ["e", "o", "ma", "perché", "che", "se", "quando", "con", "di", "a", "in", "mio", "mia", "il", "la", "un", "una"]
}

const ofLanguage = (lists: Readonly<Record<string, ReadonlyArray<string>>>, language: string): ReadonlyArray<string> =>
  lists[languageOf(language)] ?? lists.en ?? []

/** Whether the words are a sequence of these phrases, of which the longest come first. */
const consistsOf = (words: ReadonlyArray<string>, phrases: ReadonlyArray<ReadonlyArray<string>>): boolean => {
  for (let at = 0; at < words.length; ) {
    const found = phrases.find((phrase) => phrase.every((word, nth) => words[at + nth] === word))
    if (found === undefined) return false
    at += found.length
  }
  return true
}

/** Whether a text has only words that confirm. `given`: the agent's own list, in place of the language's. */
export const backchannel = (language: string, given: ReadonlyArray<string> | null): ((text: string) => boolean) => {
  const phrases = (given ?? ofLanguage(confirmations, language))
    .map(wordsOf)
    .filter((phrase) => phrase.length > 0)
    .sort((a, b) => b.length - a.length)
  return (text) => {
    const words = wordsOf(text)
    return words.length > 0 && consistsOf(words, phrases)
  }
}

/** Signs that close what was said. */
const closing = "\"'”’)]"

const withoutClosing = (text: string): string => {
  let end = text.length
  while (end > 0 && closing.includes(text[end - 1]!)) end -= 1
  return text.slice(0, end)
}

/** True where the words say that the turn goes on. Source: docs/reference/turn-taking.md#end. */
export const goesOn = (text: string, language: string): boolean => {
  const said = withoutClosing(text.trim())
  if (/(?:[,،、–—-]|\.\.\.|…)$/u.test(said)) return true
  if (/[0-9\u0966-\u096f]$/u.test(said)) return true
  if (/[.!?।。！？]$/u.test(said)) return /[0-9][.]$/u.test(said)
  return ofLanguage(continuing, language).includes(wordsOf(said).at(-1) ?? "")
}
