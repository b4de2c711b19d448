/** The text of a piece of HTML, without tags and with entities decoded. Pure. */

/** Tags that break a line. */
const breaks = /<\/?(?:br|p|div|li|ul|ol|tr|td|h[1-6])(?:[\s/][^<>]*)?>/gi

/** A tag, a comment or a declaration. A sign that begins no tag, as in `a < b`, stays. */
const tags = /<(?:\/?[a-z]|!)[^<>]*>/gi

const entities = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,7}));/gi

/** Of the code points from 160 on, in their order. */
const latin =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot " +
  "cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml " +
  "Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
  "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute " +
  "ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml"

const names: ReadonlyMap<string, string> = new Map([
  ...latin.split(" ").map((name, index) => [name, String.fromCodePoint(160 + index)] as const),
  ...Object.entries({
    ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" },
    ...{ lsquo: "‘", rsquo: "’", sbquo: "‚", ldquo: "“", rdquo: "”", bdquo: "„", lsaquo: "‹", rsaquo: "›" },
    ...{ ndash: "–", mdash: "—", hellip: "…", bull: "•", prime: "′", Prime: "″", dagger: "†", Dagger: "‡" },
    ...{ euro: "€", trade: "™", permil: "‰", minus: "−", le: "≤", ge: "≥", ne: "≠", asymp: "≈", infin: "∞" },
    ...{ larr: "←", uarr: "↑", rarr: "→", darr: "↓", harr: "↔", OElig: "Œ", oelig: "œ", Scaron: "Š", scaron: "š" },
    ...{ ensp: "\u2002", emsp: "\u2003", thinsp: "\u2009", zwnj: "\u200c", zwj: "\u200d", lrm: "\u200e", rlm: "\u200f" }
  })
])

const notACharacter = "\ufffd"

/** Numbers from 128 to 159 are what Windows means by them, as in browsers. */
const windows = new TextDecoder("windows-1252")

const characterOf = (code: number): string => {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return notACharacter
  return code >= 128 && code <= 159 ? windows.decode(Uint8Array.of(code)) : String.fromCodePoint(code)
}

/** An unknown entity stays as it is written. Decoded once: `&amp;lt;` becomes `&lt;`. */
export const textOfMarkup = (markup: string): string =>
  markup
    .replace(breaks, " ")
    .replace(tags, "")
    .replace(entities, (written: string, decimal?: string, hexadecimal?: string, name = "") => {
      if (decimal !== undefined) return characterOf(Number(decimal))
      return hexadecimal === undefined ? (names.get(name) ?? written) : characterOf(Number.parseInt(hexadecimal, 16))
    })
    .trim()
