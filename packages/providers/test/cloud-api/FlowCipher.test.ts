/** What a flow exchanges is encrypted as the platform does it: docs/reference/flows.md#data. */
import { createHash, createPublicKey } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { flowQuestion } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { makeFlowKey, openFlowQuestion } from "../../src/cloud-api/FlowCipher.ts"

const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body))

const asked = { version: "3.0", action: "data_exchange", data: { name: "é 👍", count: 4 } }

describe("what a flow exchanges", () => {
  it.live("is read and answered in the platform's way, by the key that fits", () =>
    Effect.gen(function* () {
      const [other, own] = [yield* makeFlowKey, yield* makeFlowKey]
      const { body, read } = flowQuestion(own.publicKey, asked)
      const question = (yield* openFlowQuestion(bytesOf(body), [other.privateKey, own.privateKey]))!
      assert.strictEqual(question.key, 1)
      assert.deepStrictEqual(question.asked, asked)
      const reply = yield* question.reply({ screen: "ÜBER 👍" }, 427)
      assert.deepInclude(reply, { status: 427, headers: { "content-type": "text/plain" } })
      assert.deepStrictEqual(read(reply.body), { screen: "ÜBER 👍" })
    })
  )

  it.live("has a key of 2048 bits, whose fingerprint is that of its public part", () =>
    Effect.gen(function* () {
      const { fingerprint, privateKey, publicKey } = yield* makeFlowKey
      const key = createPublicKey(publicKey)
      assert.deepInclude(key.asymmetricKeyDetails, { modulusLength: 2048 })
      const der = key.export({ type: "spki", format: "der" })
      assert.strictEqual(fingerprint, createHash("sha256").update(der).digest("hex"))
      assert.notInclude(JSON.stringify({ privateKey }), Redacted.value(privateKey))
    })
  )

  it.live("is not read where anything of it was changed, or no key fits", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* makeFlowKey, yield* makeFlowKey]
      const { body } = flowQuestion(own.publicKey, asked)
      const second = flowQuestion(own.publicKey, asked).body
      const changed = (text: string) => {
        const bytes = Buffer.from(text, "base64")
        bytes[bytes.length - 1]! ^= 1
        return bytes.toString("base64")
      }
      const wrong: ReadonlyArray<unknown> = [
        null,
        [],
        {},
        { ...body, encrypted_aes_key: second.encrypted_aes_key },
        { ...body, encrypted_aes_key: changed(body.encrypted_aes_key) },
        { ...body, encrypted_aes_key: "" },
        { ...body, encrypted_flow_data: changed(body.encrypted_flow_data) },
        { ...body, encrypted_flow_data: "AA==" },
        { ...body, initial_vector: second.initial_vector },
        { ...body, initial_vector: "AAAA" },
        flowQuestion(own.publicKey, ["no object"]).body
      ]
      for (const one of wrong) {
        assert.isNull(yield* openFlowQuestion(bytesOf(one), [own.privateKey]), JSON.stringify(one))
      }
      assert.isNull(yield* openFlowQuestion(new Uint8Array([1, 2]), [own.privateKey]))
      assert.isNull(yield* openFlowQuestion(bytesOf(body), [other.privateKey, Redacted.make("no key")]))
      assert.isNull(yield* openFlowQuestion(bytesOf(body), []))
    })
  )
})
