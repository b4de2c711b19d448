/**
 * Texts that somebody else writes, and the functions that read them: one row for each, in the tables of the packages. The rows are
 * printed in the documentation, and each function is tested to take time in proportion to its text.
 */
export interface ForeignText {
  /** What reads the text, such as `splitText`. */
  readonly name: string
  /** Files whose code the function runs, from the root: their regular expressions are tested with it. */
  readonly files: ReadonlyArray<string>
  /** What text it is, and who writes it. */
  readonly text: string
  /** Characters, or bytes, that the text has at most. */
  readonly most: number
  /** Where that is enforced. */
  readonly boundedBy: string
  /** What the text may begin with for the function to look at the rest. Default: nothing. */
  readonly openings?: ReadonlyArray<string>
  /** Runs the function; what it returns or throws does not matter. */
  readonly read: (text: string) => unknown
}

/** How many times a text is `shape` until it is `length` long. */
const repeated = (shape: string, length: number): string =>
  shape.repeat(Math.ceil(length / shape.length)).slice(0, length)

/** Letters and signs in an order that is the same in every run. */
const scattered = (length: number): string => {
  const signs = "ab 1.,;:!?\n\t\"'`*_~[](){}<>#|-+/\\&=%@é😀"
  let state = 1
  let text = ""
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    text += signs[(state >>> 16) % signs.length]
  }
  return text.slice(0, length)
}

/** Texts of a length that are hard to read for code that looks at a place more than once. */
export const shapes: Readonly<Record<string, (length: number) => string>> = {
  blanks: (length) => repeated(" ", length),
  "line ends": (length) => repeated("\n ", length),
  brackets: (length) => repeated("[", length),
  quotes: (length) => repeated("\"'`", length),
  "one letter": (length) => repeated("a", length),
  nested: (length) => repeated("[(", length / 2) + repeated(")]", length / 2),
  scattered,
  digits: (length) => repeated("1", length),
  punctuation: (length) => repeated(".-_*~,", length),
  "marks and emoji": (length) => repeated("e\u0301👩‍🚀", length)
}

/** Behind a text, so that what matches nearly all of it fails at its end. */
const endings = ["", "\u0001x"]

/** Every text of a shape for a function: after each of its openings, with and without a bad end. */
export const variantsOf = ({
  openings = [""]
}: Pick<ForeignText, "openings">): ReadonlyArray<(shape: string) => string> =>
  openings.flatMap((opening) => endings.map((ending) => (shape: string) => opening + shape + ending))
