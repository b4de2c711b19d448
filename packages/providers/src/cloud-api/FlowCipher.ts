/**
 * How the platform encrypts what a flow exchanges: a key of AES-128-GCM for each question, itself encrypted with RSA-OAEP under the
 * number's public key, and the answer with the same key under the flipped vector. Source: docs/reference/flows.md#data.
 */
import {
  type ChannelReply,
  type FlowKeyPair,
  type FlowQuestion,
  isObject,
  type JsonObject
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { jsonIn } from "../http/index.ts"

const rsa = { name: "RSA-OAEP", hash: "SHA-256" } as const

const aesBytes = 16
const vectorBytes = 16
const tagBits = 128

/** 64 characters a line, as tools write it. */
const pem = (kind: string, der: Uint8Array): string =>
  `-----BEGIN ${kind}-----\n${Base64.encode(der).replace(/.{1,64}/g, "$&\n")}-----END ${kind}-----\n`

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

const makePair = async (): Promise<FlowKeyPair> => {
  const pair = await crypto.subtle.generateKey(
    { ...rsa, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["encrypt", "decrypt"]
  )
  const der = new Uint8Array(await crypto.subtle.exportKey("spki", pair.publicKey))
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey))
  return {
    privateKey: Redacted.make(Base64.encode(pkcs8)),
    publicKey: pem("PUBLIC KEY", der),
    fingerprint: hex(new Uint8Array(await crypto.subtle.digest("SHA-256", der)))
  }
}

export const makeFlowKey: Effect.Effect<FlowKeyPair> = Effect.promise(makePair)

interface Envelope {
  readonly sealedKey: Uint8Array<ArrayBuffer>
  readonly data: Uint8Array<ArrayBuffer>
  readonly vector: Uint8Array<ArrayBuffer>
}

const bytesOf = (value: unknown): Uint8Array<ArrayBuffer> | null => {
  if (typeof value !== "string") return null
  const read = Base64.decode(value)
  return Result.isSuccess(read) ? new Uint8Array(read.success) : null
}

/** Null where the body is not one of the platform's. */
const envelopeIn = (body: Uint8Array): Envelope | null => {
  const json = jsonIn(body)
  if (!isObject(json)) return null
  const [sealedKey, data, vector] = [
    bytesOf(json.encrypted_aes_key),
    bytesOf(json.encrypted_flow_data),
    bytesOf(json.initial_vector)
  ]
  return sealedKey === null || data === null || vector?.length !== vectorBytes ? null : { sealedKey, data, vector }
}

/** The key of a question, and what it asks; throws where the private key is another one, or anything was changed. */
const decrypted = async (privateKey: string, { data, sealedKey, vector }: Envelope) => {
  const der = bytesOf(privateKey) ?? new Uint8Array(0)
  const own = await crypto.subtle.importKey("pkcs8", der, rsa, false, ["decrypt"])
  const raw = await crypto.subtle.decrypt({ name: rsa.name }, own, sealedKey)
  if (raw.byteLength !== aesBytes) throw new Error("the key of a question has another length")
  const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"])
  const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv: vector, tagLength: tagBits }, key, data)
  const asked = jsonIn(new Uint8Array(plain))
  if (!isObject(asked)) throw new Error("a question is no JSON object")
  return { key, asked }
}

const encrypted = async (key: CryptoKey, vector: Uint8Array, answer: JsonObject): Promise<string> => {
  const iv = vector.map((byte) => byte ^ 0xff)
  const text = new TextEncoder().encode(JSON.stringify(answer))
  const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(iv), tagLength: tagBits }, key, text)
  return Base64.encode(new Uint8Array(bytes))
}

/** Tries the keys one after the other; null where none of them opens the question. */
export const openFlowQuestion = Effect.fnUntraced(function* (
  body: Uint8Array,
  keys: ReadonlyArray<Redacted.Redacted>
): Effect.fn.Return<FlowQuestion | null> {
  const envelope = envelopeIn(body)
  if (envelope === null) return null
  for (const [place, privateKey] of keys.entries()) {
    const opened = yield* Effect.option(Effect.tryPromise(() => decrypted(Redacted.value(privateKey), envelope)))
    if (opened._tag === "None") continue
    const { asked, key } = opened.value
    return {
      key: place,
      asked,
      reply: (answer, status) =>
        Effect.map(
          Effect.promise(() => encrypted(key, envelope.vector, answer)),
          (text): ChannelReply => ({ status, headers: { "content-type": "text/plain" }, body: text })
        )
    }
  }
  return null
})
