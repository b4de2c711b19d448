/** A fault of the configuration: its path and a sentence of what to do. Pure. */

export interface Fault {
  /** As in `telephony.twilio.public_url`; empty for the file itself. */
  readonly path: string
  readonly message: string
}

export const render = ({ message, path }: Fault): string => `${path === "" ? "the file" : path}: ${message}`

/** A path that has been found wrong once need not be found wrong again. */
export const withNew = (known: ReadonlyArray<Fault>, found: ReadonlyArray<Fault>): ReadonlyArray<Fault> => [
  ...known,
  ...found.filter(({ path }) => known.every((fault) => fault.path !== path && !fault.path.startsWith(`${path}.`)))
]
