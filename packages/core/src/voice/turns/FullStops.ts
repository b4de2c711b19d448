/** Whether a full stop ends a sentence, in English, German, Hindi and, as far as abbreviations are the same, others. Pure, and linear. */

/** Characters that are looked at: two words before a full stop, and one after it. */
const [before, after] = [40, 16]

const setOf = (words: string): ReadonlySet<string> => new Set(words.normalize("NFC").split(" "))

/** Abbreviations that another word always follows. */
const leading = setOf(
  "mr mrs ms dr prof rev gen gov hon capt sgt lt col maj st vs eg ie cf approx fig figs vol mt hr hrn fr frl dipl ing med bzw ca ggf evtl inkl exkl zzgl abzgl sog vgl bspw geb gest tel zzt sra srta dra mme mlle dott sig डॉ डा प्रो श्री श्रीमती कु कुमारी पं रु नं दि सु ए बी सी डी ई एफ एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी"
)

/** Abbreviations that may end a sentence: it goes on before small letters and digits. */
const trailing = setOf(
  "am pm etc inc ltd co corp jr sr ave blvd rd dept apt bldg ext est no p pp ph phd ref sec deg misc yr yrs mo hrs min max ft yd oz lb lbs mg kg ml km cm mm jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri sat sun di mi sa ua usw usf nr str pl mwst abb abs art kap hbf sek tgl mtl okt dez std mio mrd"
)

/** After these a number with a full stop is an ordinal: *am 3. Oktober*, *die 2. Etage*. */
const beforeOrdinals = setOf(
  "am im der die das den dem des vom zum zur beim ab bis seit und oder jeder jede jedes jeden ihr ihre ihrem ihren unser unsere"
)

const months = "januar februar märz april mai juni juli august september oktober november dezember".split(" ")

/** *König Ludwig XIV. war hier.* */
const romanNumber = /^[IVXLC]{2,}$/

/** An initial of a script with capitals, or several ones each of which has a full stop: *J.*, *z.B.*, *U.S.* In Hindi a single one may be a word. */
const initials = /^(?:[\p{Lu}\p{Ll}]\.|(?:\p{L}\p{M}*\.){2,})$/u

/**
 * Whether the full stop at a place of a text ends a sentence. Null while that depends on what has not come yet: after an ordinary word
 * it ends one at once, so that nothing waits.
 */
export const endsAtFullStop = (text: string, at: number): boolean | null => {
  const following = text.slice(at + 1, at + 1 + after)
  if (following !== "" && !/^\s/.test(following)) return false
  const next = following.trimStart()
  const words = text.slice(Math.max(0, at + 1 - before), at + 1).split(/[\s([{"“„«]+/u)
  const [earlier = "", word = ""] = [words.at(-2), words.at(-1)]
  const name = word.slice(0, -1)
  if (/^\p{N}+$/u.test(name)) return endsAfterNumber(earlier, next)
  // A date: *am 14.03. um 10 Uhr*.
  if (/^\p{N}+\.\p{N}+$/u.test(name)) return next === "" ? null : !/^\p{Ll}/u.test(next)
  const bare = name.replaceAll(".", "").toLowerCase().normalize("NFC")
  if (leading.has(bare)) return false
  if (trailing.has(bare) || /\p{L}str$/u.test(bare) || romanNumber.test(name))
    return next === "" ? null : !/^[\p{Ll}\p{N}]/u.test(next)
  if (initials.test(word)) return false
  // An address may go on.
  return /[@/.]/.test(name) && following === "" ? null : true
}

const endsAfterNumber = (earlier: string, next: string): boolean | null => {
  // The number of an item has nothing before it.
  if (earlier === "" || beforeOrdinals.has(earlier.toLowerCase())) return false
  if (next === "") return null
  if (/^\p{Ll}/u.test(next)) return false
  const word = (/^\p{L}+/u.exec(next)?.[0] ?? "").toLowerCase()
  const isWhole = word === "" || word.length < next.length
  return isWhole ? !months.includes(word) : months.some((month) => month.startsWith(word)) ? null : true
}
