/** One spelling for texts that readers take for the same. Pure. Source: docs/reference/bots.md#words. */

/** Marks that readers leave out: accents, vowel points of Arabic and Hebrew, the dot below of Hindi's loan words. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u093c]/g

const spelledOut: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
  "\u0901": "\u0902"
}

/** Zeros of the scripts that write numbers in digits of their own. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x17e0]

const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0)!
  const zero = zeros.find((first) => code >= first && code < first + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** One spelling for what readers take for the same: case, width, accents, ligatures, digits. */
export const fold = (text: string): string => {
  const lower = text.normalize("NFKC").toLowerCase()
  if (/^[ -~]*$/.test(lower)) return lower
  return lower
    .normalize("NFD")
    .replace(marks, "")
    .normalize("NFC")
    .replace(/[ßæœøłđðþıς\u0901]/g, (char) => spelledOut[char]!)
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replace(/[\u00ad\u200c\u200d]/g, "")
}
