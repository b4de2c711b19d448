/** Bytes in one piece. */

interface NodeBuffer {
  readonly allocUnsafeSlow?: (bytes: number) => Uint8Array<ArrayBuffer>
}

const unfilled = (globalThis as { readonly Buffer?: NodeBuffer }).Buffer?.allocUnsafeSlow

/** Memory that its user fills. Where there are Node's buffers it is not filled with zeros before, and has what was in it. */
export const unfilledBytes = (bytes: number): Uint8Array<ArrayBuffer> => unfilled?.(bytes) ?? new Uint8Array(bytes)

/** Bytes one after the other. A single piece is not copied. */
export const joinedBytes = (pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
  if (pieces.length === 1) return pieces[0]!
  const bytes = unfilledBytes(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}
