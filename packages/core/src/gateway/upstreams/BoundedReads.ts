/** Limits the reads of a library whose loops a broken file can keep from ending: it then reads the same few bytes for ever. */

/** Reads that any file needs, beside one for each byte. */
const freeReads = 10_000

/**
 * Bounds the reads of a source of mediabunny's over `size` bytes: a reader that makes progress reads less often than there
 * are bytes. A read beyond the bound throws what `circle` returns. Returns the source.
 */
export const boundedReads = <S extends object>(source: S, size: number, circle: () => Error): S => {
  // Public in the library's code, not in its declarations. A release without it is read unbounded, and a test hangs.
  const reads = source as unknown as { _read: (...range: ReadonlyArray<number>) => unknown }
  const read = reads._read
  let left = freeReads + size
  reads._read = (...range) => {
    if (left-- <= 0) throw circle()
    return read.apply(source, [...range])
  }
  return source
}
