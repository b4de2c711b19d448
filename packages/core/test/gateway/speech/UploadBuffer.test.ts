/** The memory of an upload: docs/choices.md#inference-gateway. */
import { describe, expect, it } from "vitest"
import { UploadBuffer } from "../../../src/gateway/speech/UploadBuffer.ts"

const blockBytes = 64 * 1024

/** Leaves blocks of that size behind whose memory is not zero, which the next ones get. */
const leaveBehind = (): void => {
  const blocks = Array.from({ length: 20 }, () => Buffer.allocUnsafeSlow(blockBytes).fill(0xee))
  for (const { buffer } of blocks) (buffer as ArrayBuffer).transfer(0)
}

describe("the chunks of an upload", () => {
  it("have nothing of the process's memory behind them", () => {
    const found = Array.from({ length: 50 }, () => {
      leaveBehind()
      const upload = new UploadBuffer(blockBytes)
      upload.add(new Uint8Array(100).fill(1))
      const [chunk] = upload.end()
      expect(chunk!.byteLength).toBe(100)
      return new Uint8Array(chunk!.buffer).subarray(100).some((byte) => byte !== 0)
    })
    expect(found).not.toContain(true)
  })
})
