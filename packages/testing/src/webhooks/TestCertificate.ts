/** Makes X.509 certificates for tests, so that no key has to be kept and none expires. Signs with P-256. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

export interface TestCertificate {
  /** PEM. */
  readonly cert: string
  /** PEM. */
  readonly key: string
}

export interface CertificateOptions {
  /** DNS names and IPv4 addresses that it is for. An authority has none. */
  readonly names?: ReadonlyArray<string>
  /** Default: itself. */
  readonly issuer?: TestCertificate & { readonly name: string }
  /** Milliseconds of UTC. Default: the year 2100. */
  readonly expiresAt?: number
}

// DER: a tag, a length, a content. X.509 (RFC 5280) is a tree of these.
const der = (tag: number, ...contents: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(contents)
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const sequence = (...parts: ReadonlyArray<Uint8Array>) => der(0x30, ...parts)
const set = (...parts: ReadonlyArray<Uint8Array>) => der(0x31, ...parts)
const integer = (bytes: Uint8Array) => der(0x02, bytes)
const bits = (bytes: Uint8Array) => der(0x03, Buffer.of(0), bytes)
const octets = (bytes: Uint8Array) => der(0x04, bytes)
const text = (value: string) => der(0x0c, Buffer.from(value))
const yes = der(0x01, Buffer.of(0xff))
const time = (at: number) => der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]|\.\d+/g, "")}`))
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))
const nameOf = (value: string) => sequence(set(sequence(oid("550403"), text(value))))
const extension = (id: string, critical: boolean, value: Uint8Array) =>
  sequence(...[oid(id), ...(critical ? [yes] : []), octets(value)])

const alternative = (name: string) =>
  /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name))

const pem = (label: string, bytes: Uint8Array) =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString("base64").replace(/.{64}/g, "$&\n")}\n-----END ${label}-----\n`

/** A certificate named `name`, and its key. Without an issuer it is self-signed; without names it is an authority. */
export const testCertificate = (
  name: string,
  { names = [], issuer, expiresAt = Date.UTC(2100, 0) }: CertificateOptions = {}
): TestCertificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const extensions = [
    ...(names.length === 0 ? [extension("551d13", true, sequence(yes))] : []),
    ...(names.length === 0 ? [] : [extension("551d11", false, sequence(...names.map(alternative)))])
  ]
  const tbs = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    sequence(time(Date.UTC(2000, 0)), time(expiresAt)),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions))
  )
  const signer: KeyObject | string = issuer?.key ?? privateKey
  return {
    cert: pem("CERTIFICATE", sequence(tbs, ecdsaWithSha256, bits(sign("sha256", tbs, signer)))),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
}
