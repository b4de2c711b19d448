/**
 * Interim answers of a server (1xx), which a client must read past although it has not asked for them (RFC 9110, 15.2). undici reads
 * past all of them but 100, at which it closes the connection: that one reaches it as 102. Pure but for the socket that is given.
 */

const [lineFeed, carriageReturn, zero, one, two] = [0x0a, 0x0d, 0x30, 0x31, 0x32]

/** Where the three digits of a status stand in its line: `HTTP/1.1 100`. */
const firstDigit = 9

/** Finds the interim answers in front of an answer, however they are cut into pieces. */
export class InterimHeads {
  #isAwaited = false
  #isStatusLine = true
  /** Bytes of the present line. */
  #column = 0
  #tens = 0

  /** A request has been sent: its answer comes next. */
  await(): void {
    this.#isAwaited = true
    this.#isStatusLine = true
    this.#column = 0
  }

  /** Makes each 100 a 102, where it stands. */
  rewrite(bytes: Uint8Array): void {
    for (let at = 0; this.#isAwaited && at < bytes.length; at += 1) {
      if (this.#isStatusLine && this.#column >= firstDigit) this.#readStatus(bytes, at)
      this.#readLine(bytes[at]!)
    }
  }

  #readStatus(bytes: Uint8Array, at: number): void {
    const digit = bytes[at]!
    const place = this.#column - firstDigit
    if (place === 0) this.#isAwaited = digit === one
    else if (place === 1) this.#tens = digit
    else if (place === 2 && this.#tens === zero) {
      if (digit === zero) bytes[at] = two
      // What follows a 101 is another protocol.
      this.#isAwaited = digit !== one
    }
  }

  #readLine(byte: number): void {
    if (byte === lineFeed) {
      // An empty line ends a head, and the next one begins.
      this.#isStatusLine = this.#column === 0
      this.#column = 0
    } else if (byte !== carriageReturn) this.#column += 1
  }
}

/** A socket of Node, as far as requests are written to it and answers are read from it. */
interface ByteSocket {
  read(size?: number): unknown
  write(...given: ReadonlyArray<never>): boolean
}

/** undici writes the head of a request as a text, and bodies as bytes. */
const isRequestHead = (written: unknown): boolean => typeof written === "string" && written.includes(" HTTP/1.1\r\n")

/** A connection for undici, which sends one request after the other on it: their answers are read past interim ones. */
export const pastInterim = <S extends ByteSocket>(socket: S): S => {
  const heads = new InterimHeads()
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket)]
  socket.read = (size) => {
    const bytes = read(size)
    if (bytes instanceof Uint8Array) heads.rewrite(bytes)
    return bytes
  }
  socket.write = (...given) => {
    if (isRequestHead(given[0])) heads.await()
    return write(...given)
  }
  return socket
}
