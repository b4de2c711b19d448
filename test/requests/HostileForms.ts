/** Forms that no program writes: malformed, with boundaries that nearly match, with very many parts or fields. */
import { oneOf, type Random, whole } from "../faults/Random.ts"
import { asJson, type Hostile, sized } from "./Hostile.ts"

const MiB = 1024 * 1024

const uploads = [
  "/v1/audio/transcriptions",
  "/v1/audio/translations",
  "/v1/files",
  "/api/v1/messaging/media",
  "/api/v1/voice-campaigns/00000000-0000-7000-8000-000000000000/contacts/import"
]

type Made = readonly [type: string, body: string]

const form = (boundary: string): string => `multipart/form-data; boundary=${boundary}`
const part = (name: string, value: string, more = ""): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF\r\n'

/** Each is a fault of its own. */
const malformed: Readonly<Record<string, Made>> = {
  "17 bytes": [form("b"), "--b\r\nA\r\n--b--\r\n"],
  "a header without a colon": [form("b"), `--b\r\nContent-Disposition\r\n\r\nx\r\n--b--\r\n`],
  "an empty boundary": ['multipart/form-data; boundary=""', "--\r\nA\r\n----\r\n"],
  "no boundary": ["multipart/form-data", file],
  "another boundary": [form("c"), `${file}--b--\r\n`],
  "a boundary of blanks": ['multipart/form-data; boundary="   "', "--   \r\nA\r\n--   --\r\n"],
  "a boundary with a quote": ['multipart/form-data; boundary="a\\"b"', '--a"b\r\nA\r\n'],
  "a boundary twice": ["multipart/form-data; boundary=b; boundary=c", `${file}--b--\r\n`],
  "no end": [form("b"), file],
  "an end in its head": [form("b"), '--b\r\nContent-Disposition: form-data; name="file"; filena'],
  "an end in its boundary": [form("b"), `${file}--`],
  nothing: [form("b"), ""],
  "its end alone": [form("b"), "--b--\r\n"],
  "its end alone, without a line's": [form("b"), "--b--"],
  "bare line feeds": [form("b"), file.replaceAll("\r\n", "\n")],
  "no name": [form("b"), "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n"],
  "no disposition": [form("b"), "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n"],
  "a header of control characters": [form("b"), "--b\r\n\u0001\u0002: x\r\n\r\nx\r\n--b--\r\n"],
  "an empty header": [form("b"), "--b\r\n: \r\n\r\nx\r\n--b--\r\n"],
  "a folded header": [
    form("b"),
    '--b\r\nContent-Disposition: form-data;\r\n name="file"; filename="a"\r\n\r\nx\r\n--b--\r\n'
  ],
  "a type that is none": [form("b"), file.replace("\r\n\r\n", "\r\nContent-Type: ;;=\r\n\r\n").concat("--b--\r\n")],
  "another encoding": [
    form("b"),
    file.replace("\r\n\r\n", "\r\nContent-Transfer-Encoding: base64\r\n\r\n").concat("--b--\r\n")
  ],
  "names that are not UTF-8": [form("b"), part("\u00ff\u00fe", "x", '; filename="\u00ff"').concat("--b--\r\n")],
  "a name with line ends": [form("b"), part("file", "x", '; filename="a\r\nX: 1"').concat("--b--\r\n")],
  "an encoded name that is none": [form("b"), part("file", "x", "; filename*=UTF-8''%zz%").concat("--b--\r\n")],
  "a part inside a part": [
    form("b"),
    "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\n--c--\r\n--b--\r\n"
  ],
  "a file twice": [form("b"), `${file}${file}--b--\r\n`],
  "text after its end": [form("b"), `${file}--b--\r\n${"x".repeat(1000)}`],
  "text before its begin": [form("b"), `${"x".repeat(1000)}\r\n${file}--b--\r\n`],
  "a file that is a field": [form("b"), `${part("file", "x")}--b--\r\n`],
  JSON: [form("b"), "{}"]
}

const sent = (asker: Parameters<Hostile>[0], [type, body]: Made, target = oneOf(asker.random, uploads)) => {
  const request = asJson(asker, target, Buffer.from(body, "latin1"))
  return { ...request, headers: { ...request.headers, "content-type": type } }
}

/** 429 while the account has four uploads under way: the form is not read then. */
const refused = [400, 404, 413, 415, 422, 429]

const repeated = (random: Random, piece: string, min: number, max: number): string =>
  piece.repeat(Math.max(1, Math.floor(sized(random, min, max) / piece.length)))

/** Forms that are only large. */
const large = (random: Random): readonly [what: string, made: Made] => {
  const boundary = "-".repeat(whole(random, 60, 8000))
  return oneOf<readonly [string, Made]>(random, [
    [
      "nearly its boundary",
      [form(boundary), `--${boundary}\r\n\r\n${repeated(random, `\r\n--${boundary.slice(0, -1)}x`, 10_000, 4 * MiB)}`]
    ],
    ["dashes", [form("-----------b"), repeated(random, "\r\n--", 10_000, 4 * MiB)]],
    ["many parts", [form("b"), `${repeated(random, part("a", "1"), 10_000, 4 * MiB)}--b--\r\n`]],
    ["a long header", [form("b"), `--b\r\nX-Long: ${repeated(random, "x", 1000, 2 * MiB)}\r\n\r\nx\r\n--b--\r\n`]],
    ["many headers", [form("b"), `--b\r\n${repeated(random, "X: 1\r\n", 1000, 2 * MiB)}\r\nx\r\n--b--\r\n`]],
    ["a long name", [form("b"), `${part(repeated(random, "n", 1000, 2 * MiB), "1")}--b--\r\n`]],
    ["a long field", [form("b"), `${part("model", repeated(random, "n", 1000, 8 * MiB))}${file}--b--\r\n`]],
    ["a long boundary", [form(repeated(random, "b", 71, 12_000)), "--b\r\n"]]
  ])
}

/** Files with people that are hard to read. */
const sheet = (random: Random): string =>
  oneOf(random, [
    `phone\n"${repeated(random, "x", 10_000, 4 * MiB)}`,
    `phone,name\n${repeated(random, '"', 10_000, 4 * MiB)}`,
    repeated(random, ",", 10_000, 4 * MiB),
    `phone\n${repeated(random, "\n", 10_000, 4 * MiB)}`,
    `phone\n${repeated(random, "+14155550001\n", 10_000, 4 * MiB)}`,
    `phone${repeated(random, ";a", 10_000, MiB)}\n+14155550001`,
    `sep=;\nphone;name\n${repeated(random, ";;;\n", 10_000, MiB)}`,
    repeated(random, " ", 10_000, 4 * MiB),
    `\ufeffphone\r+14155550001\r`
  ])

/** What a carrier sends is some dozens of fields. */
const carrierForm = (random: Random): string => {
  const bytes = sized(random, 1000, 9 * MiB)
  const style = random()
  if (style < 0.2) return `a=${"x".repeat(Math.floor(bytes))}`
  if (style < 0.4) return "&".repeat(Math.floor(bytes))
  if (style < 0.6) return "a=%F0%9F%98%80&".repeat(Math.floor(bytes / 16))
  const fields: Array<string> = []
  for (let nth = 0, length = 0; length < bytes; nth++) {
    fields.push(((nth * 7919) % 1e9).toString(36))
    length += 7
  }
  return fields.join("&")
}

export const malformedForms: Readonly<Record<string, Hostile>> = Object.fromEntries(
  Object.entries(malformed).map(([what, made]): readonly [string, Hostile] => [
    `a form with ${what}`,
    (asker) => ({
      request: sent(asker, made),
      ...(what === "17 bytes" || what === "an empty boundary" ? { right: refused } : {})
    })
  ])
)

export const hostileForms: Readonly<Record<string, Hostile>> = {
  "a large form": (asker) => ({ request: sent(asker, large(asker.random)[1]) }),
  "a file of people": (asker) => {
    const campaign = asker.pool.id(asker.random, "/api/v1/voice-campaigns", "campaign_id") ?? "1"
    const body = `--b\r\nContent-Disposition: form-data; name="file"; filename="p.csv"\r\nContent-Type: text/csv\r\n\r\n${sheet(asker.random)}\r\n--b--\r\n`
    return { request: sent(asker, [form("b"), body], `/api/v1/voice-campaigns/${campaign}/contacts/import`) }
  },
  "a form of a carrier's callback": ({ random }) => {
    const route = oneOf(random, ["callback", "resume"])
    const signature = oneOf(random, ["A", "x".repeat(27).concat("="), "", "AAAAAAAAAAAAAAAAAAAAAAAAAAA="])
    return {
      request: {
        ...{ via: "http", method: "POST", target: `/api/v1/telephony/providers/twilio/${route}?call_id=1` },
        headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature },
        body: Buffer.from(carrierForm(random))
      },
      right: [400, 401, 403, 413, 429]
    }
  }
}
