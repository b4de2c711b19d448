/** What came of something: a result in one sentence, or a fault with what can be done about it. */
import { observed } from "./Observed.ts"

export interface Fault {
  readonly sentence: string
  /** Repeats what failed; absent where that cannot help. */
  readonly again?: (() => void) | undefined
  /** Repeating makes no sense before this instant. */
  readonly notBefore?: number | undefined
}

export const result = observed<{ readonly sentence: string; readonly nth: number } | null>(null)
export const fault = observed<Fault | null>(null)

let nth = 0

/** Says what has been done. A fault of before is about something else then. */
export const sayResult = (sentence: string): void => {
  nth += 1
  fault.set(null)
  result.set({ sentence, nth })
}
