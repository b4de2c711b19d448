/** The chat platform's side of what a flow exchanges, written after its public sample: with Node's own cryptography. */
import { constants, createCipheriv, createDecipheriv, publicEncrypt, randomBytes } from "node:crypto"

const algorithm = "aes-128-gcm"
const tagBytes = 16

const flipped = (vector: Buffer): Buffer => Buffer.from(vector.map((byte) => ~byte))

export interface FlowQuestionSent {
  /** What the platform posts, as JSON. */
  readonly body: {
    readonly encrypted_flow_data: string
    readonly encrypted_aes_key: string
    readonly initial_vector: string
  }
  /** Reads an answer. Throws where it was encrypted otherwise. */
  readonly read: (answer: string) => unknown
}

/** Encrypts a question under a public key in PEM. */
export const flowQuestion = (publicKey: string, question: unknown): FlowQuestionSent => {
  const [key, vector] = [randomBytes(16), randomBytes(16)]
  const cipher = createCipheriv(algorithm, key, vector)
  const data = Buffer.concat([cipher.update(JSON.stringify(question), "utf8"), cipher.final(), cipher.getAuthTag()])
  const sealed = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" }, key)
  return {
    body: {
      encrypted_flow_data: data.toString("base64"),
      encrypted_aes_key: sealed.toString("base64"),
      initial_vector: vector.toString("base64")
    },
    read: (answer) => {
      const bytes = Buffer.from(answer, "base64")
      const decipher = createDecipheriv(algorithm, key, flipped(vector))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      const plain = Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()])
      return JSON.parse(plain.toString("utf8"))
    }
  }
}
