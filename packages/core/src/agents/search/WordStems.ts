/**
 * Forms of one word as one stem. Light and without knowing the language: it need not be right, only the same for the words
 * of a question and of its answer. Pure. Source: docs/reference/bots.md#words.
 */

interface Ending {
  readonly ends: RegExp
  readonly by: string
  /** Letters that must be left. */
  readonly leaves: number
}

const ending = (ends: RegExp, by: string, leaves: number): Ending => ({ ends, by, leaves })

/**
 * In the order in which they are taken off, each at most once. Endings of English, then of German, Spanish and French where
 * they do little harm to English: a word of one language that loses an ending of another loses it wherever it stands.
 */
const latin: ReadonlyArray<Ending> = [
  ending(/ies$/, "y", 2),
  ending(/(?<=[sx]|ch|sh)es$/, "", 3),
  ending(/(?<![sui])s$/, "", 3),
  ending(/ied$/, "y", 2),
  ending(/(?<!e)ed$/, "", 3),
  ending(/ing$/, "", 3),
  ending(/ments?$/, "", 3),
  ending(/(?:able|ible)$/, "", 4),
  ending(/ungen$|ung$/, "", 4),
  ending(/(?<=e[lr])n$/, "", 5),
  ending(/en$/, "", 4),
  ending(/e$/, "", 3),
  ending(/[ao]$/, "", 4),
  ending(/(?<=er)y$/, "", 5),
  ending(/ion$/, "", 4),
  ending(/ly$/, "", 4),
  ending(/er$/, "", 7),
  ending(/at$/, "", 4),
  ending(/al$/, "", 5),
  // describe and description, prescribe and prescription
  ending(/script$/, "scrib", 5)
]

const latinStem = (word: string): string => {
  let stem = word
  for (const { by, ends, leaves } of latin) {
    const shorter = stem.replace(ends, by)
    // The stem must still be a word: "string" is not "str".
    if (shorter !== stem && shorter.length >= leaves && /[aeiouy]/.test(shorter)) stem = shorter
  }
  if (stem.length > 3) stem = stem.replace(/([^aeiou])\1$/, "$1").replace(/y$/, "i")
  return stem
}

/** Plural and case of Hindi: the vowel signs at the end. */
const devanagari = /(?:ियों|ियां|ाओं|ाएं|ुओं|ुएं|ों|ें|ओं|एं|ां|[ािीुूेैोौ])$/u

const devanagariStem = (word: string): string => {
  const stem = word.replace(devanagari, "")
  return stem.length >= 2 ? stem : word
}

/** Words of English whose forms have no ending in common, each after the form that has the endings. */
const irregular: ReadonlyMap<string, string> = new Map(
  [
    "send sent",
    "buy bought",
    "pay paid",
    "break broke broken",
    "lose lost loss losses",
    "forget forgot forgotten",
    "leave left",
    "keep kept",
    "sell sold",
    "take took taken",
    "give gave given",
    "choose chose chosen",
    "write wrote written",
    "find found",
    "bring brought",
    "speak spoke spoken",
    "steal stole stolen",
    "wear wore worn",
    "eat ate eaten",
    "drink drank drunk",
    "sleep slept",
    "feel felt",
    "begin began begun",
    "run ran",
    "see saw seen",
    "child children",
    "person people",
    "man men",
    "woman women",
    "foot feet",
    "tooth teeth",
    "mouse mice",
    "knife knives",
    "shelf shelves",
    "life lives",
    "half halves"
  ].flatMap((line) => {
    const [base, ...forms] = line.split(" ") as [string, ...Array<string>]
    return forms.map((form): [string, string] => [form, base])
  })
)

/** The stem of a folded word. */
export const stemOf = (form: string): string => {
  const word = irregular.get(form) ?? form
  return /^[a-z]{4,}$/.test(word)
    ? latinStem(word)
    : /^\p{Script=Devanagari}+$/u.test(word)
      ? devanagariStem(word)
      : word
}
