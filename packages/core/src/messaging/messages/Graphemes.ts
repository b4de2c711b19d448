/** Characters as readers see them. Pure. */

// With a language, because the default is the machine's, and one text is split in one way everywhere.
export const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** True where a grapheme begins. */
export const isBoundary = (segments: Intl.Segments, at: number): boolean =>
  (segments.containing(at)?.index ?? at) === at
